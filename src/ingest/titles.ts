import { replaceHidden } from '../protocol/hidden-characters.ts';
import { coverTitle } from './cover-title.ts';
import { contentOf, isGeneral, namesKind } from './general-words.ts';
import type { HeadLine } from './page-text.ts';
import { isPlaceholder } from './placeholders.ts';

const FALLBACK = '未命名方案';
const MAX_CHARACTERS = 120;
/** Number of characters that are read; titles are shorter, and more would only cost time. */
const READ_CHARACTERS = 600;

/** Words about the file, not about its content. */
const NOISE_WORD =
  '可编辑|可修改|完整版?|全套|全案下载|高清|无水印|免费下载|免费|下载|打包|精品|精选|收藏|珍藏|干货|爆款|首发|独家|推荐|必看|必备|热门|最新|更新|内部资料|内部|绝密|保密|仅供参考|参考|资料|源文件|附件|模板|模版|ppt模板|ppt|pptx|pdf|策划人|策划圈|活动汪|方案库|方案网';
/** Words about the file that are removed only in brackets. */
const MARK = /^(?:终|改|定|修|新|旧|最终|备份|自动保存的?|已修复|已解密|兼容模式|只读)\d{0,2}$/;
const ONLY_NOISE = new RegExp(`^(?:${NOISE_WORD}|[\\s·|/、,，\\-_+!！&])+$`, 'i');
const SOURCE =
  /^(?:来源|出品|微信公众号|公众号|微信号|微信|vx|加微|qq群?|更多|关注|知识星球|小红书号?|抖音号?)\s*[:：@]|^下载自/i;

const VERSION =
  '(?:v|ver\\.?|version|rev\\.?)\\s*1?\\d(?:\\.\\d+)*[a-z]?(?!\\d)|第[一二三四五六七八九十\\d]{1,3}[版稿]|[一二三四五六七八九]稿|\\d{1,2}稿|初版|初稿|草稿|草案版|二稿|定稿版?|终稿版?|最*终版|终极版|最终稿|最终定稿|最终|确定版|确认版|修改版?|修订版?|修改稿|修订稿|(?<!城市)更新版|优化版|调整版|(?<![焕更创全])最?新版|旧版|打印版|印刷版|提报版|提案版|汇报版|(?:[给发])?客户版|[给发]客户|[甲乙]方版|对外版|对内版|内部版|分享版|演示版|公开版|脱敏版|完整版|精简版|简版|详细版|标准版|高清版|压缩版|可编辑版?|无水印版?|[去加带]水印版?|电子版|网络版|(?<!限)定版|final(?:ly)?|latest|draft|完成版|备份|自动恢复|已解密|已修复';
/**
 * Words that may also end a real title (杂志改版, Brand New): they are removed only behind a separator or behind a Chinese
 * character.
 */
const SET_OFF = '改版|发布版|压缩|完成|复制|客户确认版?';
const AFTER_HAN = '(?<=[\\p{Script=Han}\\d）)》」”][\\s\\-_]*)(?:last|new|(?<!卡拉)ok)';
const COPY = '副本|复件|拷贝|copy(?:\\s+of)?|copy\\s*\\d*';
const MONTH = '(?:0?[1-9]|1[0-2])';
const MONTH_DAY = '(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])';
const DAY_OF_MONTH = '(?:0?[1-9]|[12]\\d|3[01])';
/** Dates of shopping festivals, which belong to the title. */
const FESTIVAL = '0315|0520|0618|1024|1111|1212';
/**
 * Dates, which are removed; years are kept, because they belong to the title. Both separators of a date are the same:
 * 4.29-5.3 is two dates.
 */
const DAY = [
  ...['\\.', '-', '_', '/', ' '].map((mark) => `(?:(?:19|20)\\d{2}|[12]\\d)${mark}${MONTH}${mark}${DAY_OF_MONTH}`),
  `(?:19|20)?\\d{2}年${MONTH}月${DAY_OF_MONTH}日?`,
  `(?:19|20)\\d{2}${MONTH_DAY}`,
  `2\\d${MONTH_DAY}`,
  `(?!${FESTIVAL})${MONTH_DAY}`,
].join('|');
const TIME = '\\d{1,2}[:：时点]\\d{2}分?|(?<!\\d)(?:[01]\\d|2[0-3])[0-5]\\d[0-5]\\d(?=$)';
/** A page count. 5P in iPhone15P and 0M in E300M are none. */
const PAGES = '共?\\s*(?<![a-z\\d])\\d{1,4}\\s*(?:p|页)(?:ppt)?';
const SIZE = '(?<![a-z\\d.])\\d+(?:\\.\\d+)?\\s*mb|(?<=^|[\\s\\-_])\\d+(?:\\.\\d+)?\\s*m';
const SEPARATOR = '[\\s\\-–—_.,，、·|+~～]';

const TAIL = new RegExp(
  `(?:^|(?<=[^a-z\\d])|${SEPARATOR}+|(?<=[\\p{Script=Han}\\d）)》」”])|(?<=\\d[p页]))(?:${[VERSION, AFTER_HAN, COPY, PAGES, SIZE, TIME].join('|')}|(?<![\\d.])(?:${DAY})|(?:${VERSION})\\d{1,4}|(?<![\\d.])(?:${DAY})(?:改|修|版|稿|更新|修改))$|${SEPARATOR}(?:${SET_OFF})$|(?:pptx?|pdf|keynote|ppt模[板版])$`,
  'iu',
);
/** A page count between separators in the middle: "-80P-2024". */
const INNER_PAGES = /[\s\-_—]共?\d{2,4}[p页](?=[\s\-_—])/giu;
/** Endings that are part of a word in a run of Latin letters: "renew" does not end with the mark "new". */
const WORDLIKE = /[a-z](?:final(?:ly)?|latest|draft|last|new|ok|copy|v\d[\d.]*|pptx?|pdf)$/i;
const HEAD_DAY = new RegExp(
  `^(?:(?:19|20)\\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])|(?:19|20)\\d{2}[.\\-_/](?:0?[1-9]|1[0-2])[.\\-_/](?:0?[1-9]|[12]\\d|3[01])|2\\d${MONTH_DAY})(?!\\d)${SEPARATOR}*`,
  'u',
);
/**
 * A number in front of the title: 01-, 3、, 12. before words. Not the 3 of 3.15 and the 5 of 5月, nor years and festivals
 * (2024-, 618-, 99-), which belong to the title.
 */
const HEAD_NUMBER =
  /^(?!38|99|520|618)(?:\d{1,2}[-_.、]\s*(?=[^\da-z\s.])|(?:0\d{1,3}[-_.、]\s*|\d{3}、\s*|0[1-9]\d?\s+|[（(]\d{1,3}[)）]\s*)(?=[^\d\s.]))/iu;
const SURNAME =
  '[王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆汪范金石廖贾夏韦付方邹熊白孟秦邱侯江尹薛闫段雷龙史陶贺毛郝顾龚邵万钱严武戴莫孔向汤]|欧阳|上官|司马|诸葛';
/** A number of an attachment, and the site that a file was downloaded from. */
const HEAD_ORIGIN =
  /^(?:附[件录表]\s*[\d一二三四五六七八九十]{0,3}\s*[:：.、\-—_ ]+\s*|下载自\s*(?:[\w.-]+\.[a-z]{2,4}|\S{2,12})\s+)/iu;
/** The number of a talk and the name of its speaker: 2.1.4王伟峰-, A2-03 张晓-, 03-王磊-. */
const HEAD_TALK = new RegExp(
  `^(?:(?:分享|演讲|嘉宾)\\s+)?[A-Z]?\\d{1,2}(?:[.\\-]\\d{1,2}){0,3}[\\s\\-_.、]*(?:${SURNAME})\\p{Script=Han}{1,2}\\s*[-—_]\\s*(?=[\\p{L}\\d])`,
  'u',
);
const HEAD_COPY = /^(?:copy\s+of|copy|副本|复件)(?:\s*[(（]?\d+[)）]?)?[\s\-_]+(?:of\s+)?/i;
const ADDRESS = /(?:https?:\/\/)?(?:www\.)[\w.-]+\.[a-z]{2,4}(?:\/\S*)?|[\w-]+\.(?:com|cn|net|org)(?:\.cn)?(?![\w])/giu;

/**
 * Returns the title in the name of a file: without extension, copy marks, versions, dates, page counts, download marks
 * and addresses. "【可编辑】2024中秋_活动方案-终稿V3(1).pptx" → "2024中秋 活动方案". Never empty.
 */
export function titleOfFile(fileName: string): string {
  return cut(cleanTitle(fileName.normalize('NFKC').replace(/\.(pptx?|pdf|ppsx?|pptm)$/i, '')) || FALLBACK);
}

/** Returns a title without the words about the file; "" when nothing else is left. */
export function cleanTitle(text: string): string {
  const joined = text
    .slice(0, READ_CHARACTERS)
    .normalize('NFKC')
    .replace(/(?<=[a-z\d])\s+(?=[a-z\d])/gi, (space) => (/[\r\n]/.test(space) ? ' ' : space));
  const line = replaceHidden(joined, '')
    .replace(/\p{Co}/gu, '')
    .replace(HEAD_ORIGIN, '')
    .replace(ADDRESS, ' ')
    .replace(HEAD_TALK, '')
    .replace(HEAD_NUMBER, '')
    .replace(/_+/g, ' ')
    .replace(PLUS, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const open = brackets(line)
    .replace(HEAD_ORIGIN, '')
    .replace(HEAD_TALK, '')
    .replace(HEAD_COPY, '')
    .replace(INNER_PAGES, '');
  const bare = trimEnds(tail(trimEnds(open.replace(HEAD_DAY, '').replace(HEAD_NUMBER, ''))));
  // A name that consists only of such words is kept.
  return cut(isTelling(bare) || bare.length >= 2 ? bare : trimEnds(open));
}

/** A plus sign that stands for a space, as in a URL; the one of 5G+智慧园区, AI+教育 and 1+1 belongs to the title. */
const PLUS = /(?<=[^a-z\d+])\++|(?<=[a-z]{2})\++(?=[a-z]{2})/giu;

/** Removes brackets with words about the file. Other brackets are kept; of 【】 only the text is kept. */
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
  return (
    inner === '' ||
    MARK.test(inner) ||
    ONLY_NOISE.test(inner) ||
    SOURCE.test(inner) ||
    tail(inner) === '' ||
    /^\d{1,2}$/.test(inner)
  );
}

/** Removes words about the file from the end until none is left. */
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

/** Default names of programs, which say nothing about the document. */
const GENERIC =
  /^(?:(?:新建)?\s*(?:microsoft\s*)?(?:office\s*)?powerpoint\s*(?:演示文稿|presentation)?|(?:新建)?演示文稿|幻灯片|presentation|slide|slides?\s*title|untitled|无标题|未命名(?:方案)?|文档|document|title|标题|封面|目录|方案|活动方案|策划方案|策划案|提案|新建文件夹?|wps演示|keynote|pptx?|pdf|下载|image|img|scan|扫描件?|微信图片|mmexport|wechat|export|output|new|final)[\s\-_.()（）]*\d*[)）]?$/i;

/** Whether a title says what a document is about: it is not a default name, a number or a hash. */
export function isTelling(title: string): boolean {
  const text = title.trim();
  if (GENERIC.test(text) || /^[\d\s.\-_:年月日]+$/.test(text) || /^[\da-f]{8,}$|^[\da-f-]{32,}$/i.test(text))
    return false;
  return /\p{Script=Han}{3}|\p{L}{2,}[\s\d]+\p{L}{2,}|\p{L}{5}/u.test(text);
}

/** The title of a document; in words for operators, where it was taken from, and the reasons why somebody should look at it. */
type ChosenTitle = { title: string; reason: string; doubts: string[] };

/** A file name whose content is at most this long (珠宝, 年会策划) says less than a cover that names a kind of document. */
const SHORT_CONTENT = 5;
/** A cover that repeats this share of a file name says all that the file name says. */
const REPEATED_SHARE = 0.6;

/**
 * Returns the name of a document that nobody has named, from the name of its file, the lines of its cover with their heights, the title
 * of its first page when the heights are not known, and the title in its properties.
 */
export function chooseTitle(said: {
  fileName: string;
  cover: readonly HeadLine[];
  firstPage: string;
  core: string;
}): ChosenTitle {
  const file = titleOfFile(said.fileName);
  const lines = said.cover.length > 0 ? said.cover : [[said.firstPage, 1] as const];
  const { title, main } = coverTitle(lines.map(([text, height]) => [text, height]));
  const cover = cleanTitle(title);
  const chosen = chooseBetween(file, { title: cover, main: cleanTitle(main) }) ?? fallBack(file, cleanTitle(said.core));
  const doubts = [...chosen.doubts];
  if (isGeneral(chosen.title)) doubts.push('the title only says what kind of document it is');
  return { ...chosen, title: cut(chosen.title), doubts };
}

/** Chooses between the name of the file and the cover; null when neither says what the document is about. */
function chooseBetween(file: string, cover: { title: string; main: string }): ChosenTitle | null {
  const isCoverTelling = isTelling(cover.title) && /\p{L}/u.test(cover.title);
  if (!isTelling(file)) {
    if (!isCoverTelling) return null;
    return { title: cover.title, reason: 'the cover, because the file name says nothing', doubts: [] };
  }
  const fileOnly = (reason: string, doubts: string[] = []) => ({ title: file, reason, doubts });
  if (!isCoverTelling) return fileOnly('the file name, because the cover has no title');
  if (isPlaceholder(file))
    return { title: cover.title, reason: 'the cover, because the file name is a template', doubts: [] };
  const coverOnly = (reason: string) => ({ title: cover.title, reason, doubts: [] });
  if (isGeneral(file))
    return isGeneral(cover.title)
      ? fileOnly('the file name')
      : coverOnly('the cover, because the file name is general');
  if (isGeneral(cover.title)) return fileOnly('the file name, because the cover is general');
  const isCoverFuller = namesKind(cover.title) && !namesKind(file);
  if (letters(file).includes(letters(cover.main)) && !isCoverFuller)
    return fileOnly('the file name, which says what the cover says');
  if (repeatedShare(file, cover.title) >= REPEATED_SHARE)
    return coverOnly('the cover, which says what the file name says');
  if (/\p{Script=Han}{2}/u.test(file) && !/\p{Script=Han}/u.test(cover.title))
    return fileOnly('the file name, because the cover is not Chinese');
  const isForeign = !/\p{Script=Han}/u.test(file) && /\p{Script=Han}{2}/u.test(cover.title);
  if (isForeign) return coverOnly('the cover, because the file name is not Chinese');
  if (contentOf(file).length <= SHORT_CONTENT) {
    if (namesKind(cover.title) || cover.title.includes(contentOf(file)) || !/\p{Script=Han}{2}/u.test(file))
      return coverOnly('the cover, because the file name is short');
    return { title: `${file} ${cover.title}`, reason: 'the file name and the cover', doubts: [] };
  }
  return fileOnly('the file name', [`the cover says something else: ${cover.title}`]);
}

function fallBack(file: string, core: string): ChosenTitle {
  if (isTelling(core)) return { title: core, reason: 'the title in the properties of the file', doubts: [] };
  return {
    title: file || FALLBACK,
    reason: 'the file name, because nothing else is known',
    doubts: ['neither the file name nor the cover says what the document is about'],
  };
}

const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Returns the share of the pairs of neighbouring characters of a text that another text has too. */
function repeatedShare(text: string, other: string): number {
  const [own, whole] = [[...letters(text).replace(/\d/g, '')], letters(other)];
  const pairs = own.slice(1).map((char, index) => `${own[index]}${char}`);
  return pairs.length === 0 ? 0 : pairs.filter((pair) => whole.includes(pair)).length / pairs.length;
}
