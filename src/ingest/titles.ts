const FALLBACK = '未命名方案';
const MAX_CHARACTERS = 120;

/** Said of the file, not of what is in it. */
const NOISE_WORD =
  '可编辑|可修改|完整版?|全套|全案下载|高清|无水印|免费下载|免费|下载|打包|精品|精选|收藏|珍藏|干货|爆款|首发|独家|推荐|必看|必备|热门|最新|更新|内部资料|内部|绝密|保密|仅供参考|参考|资料|源文件|附件|模板|模版|ppt模板|ppt|pptx|pdf|策划人|策划圈|活动汪|方案库|方案网';
const ONLY_NOISE = new RegExp(`^(?:${NOISE_WORD}|[\\s·|/、,，\\-_+!！&])+$`, 'i');
const SOURCE =
  /^(?:来源|出品|微信公众号|公众号|微信号|微信|vx|加微|qq群?|更多|关注|知识星球|小红书号?|抖音号?)\s*[:：@]/i;

const VERSION =
  '(?:v|ver\\.?|version|rev\\.?)\\s*\\d+(?:\\.\\d+)*[a-z]?|第[一二三四五六七八九十\\d]{1,3}[版稿]|[一二三四五六七八九]稿|\\d{1,2}稿|初版|初稿|草稿|草案版|二稿|定稿版?|终稿版?|终版|最终版?|最终稿|最终定稿|确定版|确认版|修改版?|修订版?|修改稿|修订稿|更新版|优化版|调整版|新版|改版|旧版|打印版|印刷版|提报版|提案版|汇报版|客户版|对外版|对内版|发布版|分享版|演示版|公开版|脱敏版|完整版|精简版|简版|详细版|标准版|高清版|压缩版?|可编辑版?|无水印版?|电子版|网络版|定版|final(?:ly)?|latest|draft|last|new|ok|完成版?';
const COPY = '副本|复件|拷贝|复制|copy(?:\\s+of)?|copy\\s*\\d*';
/** Days, not years: a year says what the plan is for. */
const DAY =
  '(?:19|20)?\\d{2}[.\\-_/年 ](?:0?[1-9]|1[0-2])[.\\-_/月 ](?:0?[1-9]|[12]\\d|3[01])日?|(?:19|20)\\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])|2\\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])';
const TIME = '\\d{1,2}[:：时点]\\d{2}分?|\\d{6}(?=$)';
const PAGES = '共?\\s*\\d{1,4}\\s*(?:p|页)(?:ppt)?';
const SIZE = '\\d+(?:\\.\\d+)?\\s*mb?';
const SEPARATOR = '[\\s\\-–—_.,，、·|+~～]';

const TAIL = new RegExp(
  `(?:^|(?<=[^a-z\\d])|${SEPARATOR}+|(?<=[\\p{Script=Han}\\d）)》」”]))(?:${[VERSION, COPY, PAGES, SIZE, TIME].join('|')}|(?<!\\d)(?:${DAY})|(?:${VERSION})\\d{1,4}|(?:${DAY})(?:改|修|版|稿)|(?:pptx?|pdf|keynote))$`,
  'iu',
);
/** At the end of a run of Latin letters these would be part of a word: "renew" is not "re" and new. */
const WORDLIKE = /[a-z](?:final(?:ly)?|latest|draft|last|new|ok|copy|v\d[\d.]*|pptx?|pdf)$/i;
const HEAD_DAY = new RegExp(
  `^(?:(?:19|20)\\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])|(?:19|20)\\d{2}[.\\-_/](?:0?[1-9]|1[0-2])[.\\-_/](?:0?[1-9]|[12]\\d|3[01]))(?!\\d)${SEPARATOR}*`,
  'u',
);
/** 01-, 3、, 12. before words; the 3 of 3.15 and the 5 of 5月 are not of that kind. */
const HEAD_NUMBER = /^(?:\d{1,4}[-_、]\s*|\d{1,3}\.\s*|[（(]\d{1,3}[)）]\s*)(?=[^\d\s.])/u;
const HEAD_COPY = /^(?:copy\s+of|copy|副本|复件)(?:\s*[(（]?\d+[)）]?)?[\s\-_]+(?:of\s+)?/i;
const ADDRESS = /(?:https?:\/\/)?(?:www\.)[\w.-]+\.[a-z]{2,4}(?:\/\S*)?|[\w-]+\.(?:com|cn|net|org)(?:\.cn)?(?![\w])/giu;

/**
 * A title from a file's name, without what is said of the file: extension, copy marks, versions, days, page counts, download
 * marks, addresses. "【可编辑】2024中秋_活动方案-终稿V3(1).pptx" → "2024中秋 活动方案". Never empty.
 */
export function titleOfFile(fileName: string): string {
  return cut(cleanTitle(fileName.normalize('NFKC').replace(/\.(pptx?|pdf|ppsx?|pptm)$/i, '')) || FALLBACK);
}

/** Any title without its noise; "" when nothing else is in it. */
export function cleanTitle(text: string): string {
  const line = text
    .normalize('NFKC')
    .replace(/(?<=[a-z\d])\s*[\r\n]+\s*(?=[a-z\d])/gi, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Co}]/gu, '')
    .replace(ADDRESS, ' ')
    .replace(/[_+]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const open = brackets(line).replace(HEAD_COPY, '');
  const bare = trimEnds(tail(trimEnds(open.replace(HEAD_DAY, '').replace(HEAD_NUMBER, ''))));
  // Some names are nothing but marks: then they are kept rather than lost.
  return cut(isTelling(bare) || bare.length >= 2 ? bare : trimEnds(open));
}

/** What stands in brackets goes when it speaks of the file, and otherwise stays; 【】 are decoration in either case. */
function brackets(text: string): string {
  return text
    .replace(/【([^【】]*)】|\[([^[\]]*)\]|〔([^〔〕]*)〕/gu, (_whole, a?: string, b?: string, c?: string) => {
      const inner = (a ?? b ?? c ?? '').trim();
      return isNoise(inner) ? ' ' : ` ${inner} `;
    })
    .replace(/\(([^()]*)\)/gu, (whole, inner: string) =>
      isNoise(inner.trim()) || /^\d{1,3}$/.test(inner.trim()) ? ' ' : whole,
    )
    .replace(/\s+/g, ' ')
    .trim();
}

function isNoise(inner: string): boolean {
  return inner === '' || ONLY_NOISE.test(inner) || SOURCE.test(inner) || tail(inner) === '' || /^\d{1,2}$/.test(inner);
}

/** Takes marks off the end until none is left. */
function tail(text: string): string {
  let rest = text;
  for (let round = 0; round < 8; round++) {
    const shorter = WORDLIKE.test(rest) ? rest : trimEnds(rest.replace(TAIL, ''));
    if (shorter === rest) break;
    rest = shorter;
  }
  return rest;
}

const ENDS = new RegExp(`^${SEPARATOR}+|${SEPARATOR}+$`, 'gu');
const trimEnds = (text: string) => text.replace(ENDS, '').trim();

const cut = (text: string) => [...text].slice(0, MAX_CHARACTERS).join('').trim();

/** Names that programs give, and that say nothing. */
const GENERIC =
  /^(?:(?:新建)?\s*(?:microsoft\s*)?(?:office\s*)?powerpoint\s*(?:演示文稿|presentation)?|(?:新建)?演示文稿|幻灯片|presentation|slide|slides?\s*title|untitled|无标题|未命名(?:方案)?|文档|document|title|标题|封面|目录|方案|活动方案|策划方案|策划案|提案|新建文件夹?|wps演示|keynote|pptx?|pdf|下载|image|img|scan|扫描件?|微信图片|mmexport|wechat|export|output|new|final)[\s\-_.()（）]*\d*[)）]?$/i;

/** Whether a title says what a document is: not a program's own name, a number or a hash. */
export function isTelling(title: string): boolean {
  const text = title.trim();
  if (GENERIC.test(text) || /^[\d\s.\-_:年月日]+$/.test(text) || /^[\da-f]{8,}$|^[\da-f-]{32,}$/i.test(text))
    return false;
  return /\p{Script=Han}{3}|\p{L}{2,}[\s\d]+\p{L}{2,}|\p{L}{5}/u.test(text);
}

/**
 * What a document is called when nobody says: its file's name, the title of its first page, or what its author's program kept,
 * the first of them that tells something.
 */
export function chooseTitle(said: { fileName: string; firstPage: string; core: string }): string {
  const candidates = [titleOfFile(said.fileName), cleanTitle(said.firstPage), cleanTitle(said.core)];
  return candidates.find(isTelling) ?? candidates[0] ?? FALLBACK;
}
