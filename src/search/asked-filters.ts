import type { Sort } from '../library/limits.ts';

/** The filters and the sort that words of a query ask for, and the query without these words. `filetype` as in C-09 c. */
type AskedFilters = { key: string; isFree: boolean; filetype: 0 | 1 | 2; sort: Sort };

/** What else begins with 免费 is a part of a campaign: 免费体验课招生. */
const NO_PRICE =
  '体验|试|领|送|赠|品|尝|吃|喝|看|玩|听|读|学|课|票|停|接|参|观|入|开放|义|咨询|修|换|办|抽|提供|上门|安装|检|体检|公益|午餐|早餐|打卡|拍照|直播|培训|讲座|wifi';
const TAIL = '方案|策划|策划案|策划书|模板|案例|ppt|资料|素材';
/** Beside other words ppt is said of any plan. */
const PPT_ALONE = /^pptx?(?:模板|文件|文档|格式|方案|素材|大全|下载)?$/iu;
const WAYS: readonly (readonly [RegExp, Partial<AskedFilters>])[] = [
  [new RegExp(`^免费的?(?=\\S)(?!${NO_PRICE})|(?<=\\s|^)免费(?:的|下载|版)?(?=\\s|$)`, 'giu'), { isFree: true }],
  [new RegExp(`(?<=${TAIL})免费(?:下载|版)?$`, 'giu'), { isFree: true }],
  [/(?<![a-z0-9])pdf(?:版|格式|文件|文档)?的?(?![a-z0-9])/giu, { filetype: 2 }],
  [/^最新的?(?=\S)(?!款|一代|科技|政策)|(?<=\s|^)最新(?:的|版)?(?=\s|$)/gu, { sort: 'newest' }],
];

/** Reads the filters that a query asks for by its words: 免费的房地产方案, 开业 pdf, 最新年会方案. Null where it asks for none. */
export function readAskedFilters(typed: string): AskedFilters | null {
  if (PPT_ALONE.test(typed)) return { key: '', isFree: false, filetype: 1, sort: 'relevance' };
  const asked: AskedFilters = { key: typed, isFree: false, filetype: 0, sort: 'relevance' };
  for (const [way, change] of WAYS) {
    const rest = asked.key.replaceAll(way, ' ');
    if (rest !== asked.key) Object.assign(asked, change, { key: rest.replaceAll(/\s+/g, ' ').trim() });
  }
  return asked.key === typed ? null : asked;
}
