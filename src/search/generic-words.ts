import { withFestivals } from './festival-dates.ts';
import { FILLERS, SPOKEN } from './single-characters.ts';
import { nearForms } from './synonyms.ts';
import { queryWords, type CutWords, type QueryWord } from './words.ts';

/** Words that fit nearly every plan. Beside a meaningful word they do not narrow a search (C-117). */
const GENERIC =
  '活动 方案 策划 企划 全案 策划案 策划书 方案书 模板 模版 案例 范文 范例 活动方案 活动策划 活动案 策划方案 活动策划案 活动策划方案 大全 素材 参考 公司 最新 热门 优秀 精品 精选'.split(
    ' ',
  );
/** English words of the same kind, names of file types, and words between words. They are compared with whole words: prevent holds event. */
const GENERIC_ENGLISH =
  'or event events activity activities plan plans planning proposal proposals case cases template templates deck decks idea ideas example examples ppt pptx pdf the for and with of in on at to an how need want find some'.split(
    ' ',
  );
const GENERIC_SET: ReadonlySet<string> = new Set([...GENERIC, ...GENERIC_ENGLISH]);
const GENERIC_END = new RegExp(`^(.{2,})(?:${GENERIC.join('|')})$`, 'u');
/** Tells whether a word has a generic ending: 亲子活动. */
export const endsGenerically = (word: string): boolean => GENERIC_END.test(word);
/** Fixed names of kinds of plans: 品牌 alone would find far more. */
const NAMED_KINDS: ReadonlySet<string> = new Set(['品牌全案']);

/** Words that people put around the words they look for: 帮我找一份…, 想做一个…, …怎么做. */
const ASKING_CHARACTERS = '帮我给您请想要来找求做办写搞弄在里上去到用把让看出前后咋叫';
const ASKING = `[${ASKING_CHARACTERS}]*`;
const ASKED =
  '有没有 有什么 我们 你们 咱们 关于 有关 相关 类似 方面 适合 适用 用于 一个 一家 一份 一场 一套 一些 一下 几个 几份 几套 怎么 怎么样 怎样 如何 什么 哪里 哪些 想要 需要 请问 帮忙 看看 可以 能否 能不能 不能 多少 多久 为什么 为何 哪种 哪类 哪个 哪家 几种 之后 以后 起来 下来 出来 今年 明年 去年 这个月 下个月 下周 这周 本周 月底 年底 马上 尽快 最好 大概 左右 一帮 一群 那种 这种 别的 特别 大型 大点 总预算 每天 每一 周一 周二 周三 周四 周五 周六 周日 现成 下载 从哪 从哪里 不知道 知道 下手 完全 第一次 没头绪 安排 打法 做法 多不多 好不好 怎么卖 哪儿 店里 一张 要开 举办 预计 包含 准备'.split(
    ' ',
  );
/** Tells whether characters between words carry no meaning: verbs of asking and particles. */
export const saysNothing = (characters: string): boolean => SILENT.test(characters);
const SILENT = new RegExp(`^[${ASKING_CHARACTERS}${[...FILLERS, ...SPOKEN].join('')}]*$`, 'u');
/** Matches a word that consists of words of a request alone: 帮我找一份, 怎么做. */
const REQUEST = new RegExp(`^${ASKING}(?:${ASKED.join('|')})?${ASKING}$`, 'u');
/** Sounds of hesitation at the start: 呃, 那个. */
const HESITATION = /^(?:呃|嗯|额|哎|诶|唉|喂|那个|就是说)+[，,我]?/u;
/** Who asks: 老板让我们…, 客户要…, 甲方爸爸想要…. */
const REPORTED =
  /(?<!\p{Script=Han})(?:老板|领导|上级|甲方|老大|经理|客户)(?:让|叫|说|要|催|想|希望)|(?:甲方|金主|客户)爸爸/gu;
/** What is not wanted is not sought: 不要月饼, 不要太贵的, 非美妆的小红书, 除了餐饮以外的快闪. 非遗 and 非凡 are words. */
const REFUSED =
  /(?:不要|不用|不想要|不想再|不想|不做|不需要|拒绝|(?<!有)没有(?!这|那|什么|人|经验|预算|时间|钱|想法|思路|灵感|头绪|合适|找到)|不含|不带|不许|不准|别老是|别总是|别老|别再|别太|别(?:搞|弄|做|整|写|办)得?太|除了|(?<!是)不是|(?<!\p{Script=Han})非(?![遗凡常洲]))\s?(?![超高多大低少小])(?<what>\p{Script=Han}{1,4}?)了?(?:以外|之外)?(?=的|\P{Script=Han}|$)/gu;
/** Returns what a query does not want. */
export const refusedTexts = (text: string): string[] =>
  Array.from(text.matchAll(REFUSED), ({ groups }) => groups?.['what'] ?? '').filter((what) => what.length > 1);
/** Returns a query without what it does not want. */
export const withoutRefused = (text: string): string => text.replace(REFUSED, ' ');
/** A verb said twice (聚一聚, 看一看) says no more than that something is to be done. */
export const REPEATED = /(\p{Script=Han})一\1/gu;
const isGeneric = ({ forms }: QueryWord) => forms.some(({ text }) => GENERIC_SET.has(text));
const isRequest = ({ forms }: QueryWord) => forms.some(({ text }) => REQUEST.test(text));

/** Tells whether a word of a request names a time that has occasions: 年底. */
const isTime = (word: QueryWord) => isRequest(word) && word.forms.some(({ text }) => nearForms(text).length > 0);

/** Returns the times that requiredWords takes for said by the way. */
export const timesOf = (text: string, cut: CutWords): QueryWord[] => queryWords(text, cut).filter(isTime);

/**
 * Returns the words of a query that a result must contain: the words that are neither generic nor part of a request (怎么做). A generic ending
 * of a longer word is removed (社区活动 asks for 社区). A query of generic words alone asks for any of them (策划方案模板 for 策划方案 or
 * 模板, neither of which is required), and a request for nothing for itself.
 */
export function requiredWords(text: string, cut: CutWords, options: { keepsSingles?: boolean } = {}): QueryWord[] {
  const said = text.replace(HESITATION, ' ').replace(REPORTED, ' ');
  const wanted = withFestivals(withoutRefused(said).replace(REPEATED, ' '));
  const all = queryWords(wanted.trim() === '' ? said : wanted, cut, options);
  const meant = all.filter((word) => !isRequest(word));
  const words = meant.length > 0 ? meant : all;
  const kept = words.flatMap((word, at) => {
    const [form] = word.forms;
    const before = words[at - 1]?.forms[0]?.text ?? '';
    if (!form || NAMED_KINDS.has(before + form.text)) return [word];
    if (isGeneric(word)) return [];
    const stem = word.forms.length === 1 ? GENERIC_END.exec(form.text)?.[1] : undefined;
    if (stem !== undefined && (GENERIC_SET.has(stem) || REQUEST.test(stem))) return [];
    return stem ? requiredWords(stem, cut, options) : [word];
  });
  if (kept.length > 0) return kept;
  // The time that is said by the way beside a subject is what 年底活动 asks for.
  const times = all.filter(isTime);
  if (times.length > 0) return times;
  return words.length > 1 && words.every(isGeneric) ? [{ forms: words.flatMap(({ forms }) => forms) }] : words;
}
