/**
 * Kinds of pages that planners look for as such: who asks for 动线设计 or SWOT wants any plan with such a page, whatever its event (decision 040). A page is of a kind
 * when its heading says so. Only kinds that few plans have are listed: a budget or a timetable is in nearly every one.
 */
type PageKindOf = {
  /** Its name on the screen. */
  name: string;
  /** What people type for it, folded (search/fold.ts). The first one is how pages name it. */
  words: readonly string[];
  /** What headings say beyond the words. */
  headings?: readonly string[];
};

const of = (name: string, words: string, headings = ''): PageKindOf => ({
  name,
  words: words.split('、'),
  headings: headings.split('、').filter(Boolean),
});

const KINDS = {
  floor_plan: of(
    '平面动线',
    '动线、动线图、动线设计、动线规划、动线平面图、平面图、平面布局、平面布局图、平面布置图、布局图、场地布局、场地布置图、场地平面图、点位图、点位规划、功能分区、功能分区图、空间规划、展位图、floor plan、floor-plan、floorplan、site plan、site map、layout plan、venue layout',
    '现场规划、场地规划',
  ),
  swot: of('SWOT', 'swot、swot分析、态势分析、优劣势分析'),
  funnel: of(
    '转化漏斗',
    '漏斗、转化漏斗、营销漏斗、销售漏斗、漏斗模型、转化链路、转化路径、funnel、conversion funnel、sales funnel、marketing funnel',
  ),
  mood_board: of('情绪板', '情绪板、氛围板、视觉基调、视觉参考、风格参考、mood board、mood-board、moodboard'),
  journey: of(
    '旅程图',
    '用户旅程、用户旅程图、用户旅程地图、客户旅程、客户旅程图、消费者旅程、顾客旅程、宾客旅程、旅程图、旅程地图、体验地图、customer journey、user journey、guest journey、journey map',
    '旅程、journey',
  ),
  run_of_show: of(
    '流程',
    '流程、流程表、流程图、活动流程、活动流程表、流程安排、议程、议程安排、rundown、run down、run of show、run-of-show、ros、agenda',
  ),
  positioning: of('定位图', '定位图、定位矩阵、定位象限、知觉图、positioning map、perceptual map', 'positioning'),
  before_after: of('前后对比', '前后对比、改造前后、before after、before and after'),
  unit_economics: of(
    '单店模型',
    '单店模型、单店盈利模型、单店ue、ue模型、ue单店模型、单店测算、盈利模型、盈利测算、回本测算、unit economics',
  ),
  seating: of(
    '座位图',
    '座位图、席位图、座次图、座次表、座次安排、桌位图、台位图、座位安排、seating plan、seating chart',
  ),
  org_chart: of('组织架构', '组织架构、组织架构图、组织结构图、org chart、organization chart'),
  stage: of('舞台设计', '舞美、舞美设计、舞台设计、舞台效果图、stage design'),
  route: of('路线图', '路线图、路线规划、路线设计、赛道图、线路图、route map、route plan'),
  materials: of('物料清单', '物料清单、物料表、物料明细'),
  gantt: of('甘特图', '甘特图、推进表、进度表、gantt、gantt chart'),
  competitors: of('竞品分析', '竞品分析、竞品对比、competitor analysis、competitive analysis、benchmarking'),
  crew: of(
    '分工表',
    '分工、分工表、执行分工、执行分工表、人员分工、人员分工表、团队分工、团队分工表、岗位分工、岗位分工表、工作分工、职责分工',
    '岗位职责',
  ),
  media_schedule: of(
    '媒介排期',
    '媒介排期、媒介排期表、媒体排期、媒体排期表、投放排期、投放排期表、媒介计划、传播排期、media plan、media schedule',
  ),
  contingency: of(
    '应急预案',
    '应急预案、安全预案、风险预案、应急方案、安全保障方案、安全应急预案、突发预案、雨天预案、contingency plan、emergency plan',
    '应急处置、安全保障、安全与保障',
  ),
  quotation: of('报价单', '报价单、报价表、报价明细、报价清单、quotation'),
  ticketing: of('票务', '票务、票务设计、票价体系、票档、票种、ticketing'),
} satisfies Record<string, PageKindOf>;

export type PageKind = keyof typeof KINDS;
// Safe: the keys of the literal above.
export const PAGE_KINDS = Object.keys(KINDS) as PageKind[];

/** A page of a kind: the first one of a plan. */
export type KeyPage = { kind: PageKind; page: number };

/** The name of a kind on the screen. */
export const pageKindName = (kind: PageKind): string => KINDS[kind].name;

/** The kind that people mean with a folded word. */
const kindByWord: ReadonlyMap<string, PageKind> = new Map(
  PAGE_KINDS.flatMap((kind) => KINDS[kind].words.map((word) => [word, kind] as const)),
);
export const pageKindOf = (word: string): PageKind | undefined => kindByWord.get(word);
/** Returns all words for kinds of pages, folded, each with the word that pages use for it. */
export const pageKindWords = (): (readonly [word: string, usual: string])[] =>
  PAGE_KINDS.flatMap((kind) => {
    const { words } = KINDS[kind];
    return words.map((word) => [word, words[0] ?? word] as const);
  });

/** A heading is a short one of the first two lines of a page, without its number and the name of the plan: often one line is English. */
const TOP_LINES = 5;
const HEADING_LINES = 2;
const MAX_HEADING = 30;
const CONTENTS = /目\s*录|contents/iu;

/**
 * Returns the kinds of the pages by their headings, the first page of each; a heading that ends with the word (展厅动线, RUN OF SHOW) tells more than one in which it
 * stands (议程三原则). The cover and the table of contents are of no kind.
 */
export function readKeyPages(pages: readonly string[]): KeyPage[] {
  const lines = pages.map((text) =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .split('\n', TOP_LINES)
      .map((line) => line.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim())
      // The number of the page stands before or behind its heading: 06 空间与动线, RUN OF SHOW // 04.
      .map((line) => line.replace(/^\d+ | \d+$/gu, '')),
  );
  const isRepeated = repeatedIn(lines);
  const found = new Map<PageKind, { page: number; isEnd: boolean }>();
  for (const [index, own] of lines.entries()) {
    if (index === 0 || own.some((line) => CONTENTS.test(line))) continue;
    const said = own.filter((line) => /\p{L}/u.test(line) && !isRepeated(line));
    const headings = said.slice(0, HEADING_LINES).filter((line) => line.length <= MAX_HEADING && !OTHER.test(line));
    for (const { kind, within, atEnd } of PATTERNS) {
      const isEnd = headings.some((heading) => atEnd.test(heading));
      const known = found.get(kind);
      if (known ? isEnd && !known.isEnd : isEnd || headings.some((heading) => within.test(heading)))
        found.set(kind, { page: index + 1, isEnd });
    }
  }
  return PAGE_KINDS.flatMap((kind) => {
    const page = found.get(kind)?.page;
    return page === undefined ? [] : [{ kind, page }];
  });
}

/** Tells which lines stand on most pages: the name of the plan or of its maker. */
function repeatedIn(pages: readonly string[][]): (line: string) => boolean {
  const counts = new Map<string, number>();
  for (const line of pages.flatMap((lines) => [...new Set(lines)])) counts.set(line, (counts.get(line) ?? 0) + 1);
  return (line) => (counts.get(line) ?? 0) > Math.max(2, pages.length / 2);
}

/** What is no page of the event: how to report, to pay or to produce, and the way of a technology or a product. */
const OTHER =
  /(?:审批|报名|退款|售后|服务|生产|报价|合作|采购|结算|开票|技术|产品|职业|股权|人生)(?:流程|路线|组织架构|旅程|功能分区)/u;

/** English words are whole words of a heading, in the plural as well; `agenda` heads tables of contents too. */
const PATTERNS = PAGE_KINDS.map((kind) => {
  const { words, headings = [] } = KINDS[kind];
  const said = [...words, ...headings].filter((word) => word !== 'agenda');
  const forms = said
    .map((word) => `${/^[a-z]/.test(word) ? '\\b' : ''}${word}${/[a-z]$/.test(word) ? 's?\\b' : ''}`)
    .join('|');
  return { kind, within: new RegExp(forms, 'u'), atEnd: new RegExp(`(?:${forms})$`, 'u') };
});
