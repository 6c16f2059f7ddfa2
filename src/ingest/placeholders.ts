/** Texts of templates that mark a place for the author's own words: 点击添加相关标题文字, Lorem ipsum. */
const PLACEHOLDER = new RegExp(
  [
    '(?:单击|点击|双击|点此|请在?此处?|在此处?|此处)\\s*(?:可以?)?\\s*(?:处)?(?:添加|输入|编辑|录入|替换|填写|更改|插入)',
    '请\\s*(?:您)?\\s*(?:替换|输入|添加|填写|修改)(?:您的|你的|相关|具体)?(?:文字|标题|内容|文本|文案|图片)',
    '^(?:添加|输入|替换)(?:您的|你的|相关|具体|论文)?\\s*(?:大|小|副|主)?(?:标题|文字|文本|内容|文案)(?:文字|内容|描述)?$',
    '(?:单击|点击)(?:此处|图标|以)',
    '文本框可?根据需求|可?根据需求改变(?:文字)?(?:的)?(?:颜色|大小)|修改文字内容|替换文字内容',
    '(?:您|你)的(?:内容|文字|标题)(?:打在|写在|放在)?(?:这里|此处)|复制您的文本|选择只保留文字',
    '(?:标题|文字)(?:文字)?(?:内容)?占位符?$',
    'lorem ipsum|dolor sit amet',
    '(?:click|double click|tap) (?:here )?to (?:add|edit|enter)',
    '(?:your|add|insert|enter)(?: your| a)? (?:sub)?(?:title|text|logo|company name|content)(?: here| goes here)?$',
    '^(?:your )?logo(?: here)?$|^company name$|^subtitle$|^x{3,}$',
  ].join('|'),
  'iu',
);

/** Whether a line is text of a template that the author of the deck has not replaced. */
export const isPlaceholder = (line: string): boolean => PLACEHOLDER.test(line.trim());

/** Returns text without the lines that are text of a template. */
export const withoutPlaceholders = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !isPlaceholder(line))
    .join('\n');
