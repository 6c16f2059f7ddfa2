import { FACT_KINDS, type FactKind } from './limits.ts';
import { DAY_MS } from '../protocol/durations.ts';
import { numberOf } from './numerals.ts';

/** A fact of a plan that its pages state. `value`: whole yuan, people or days. `page`: the first page that states it. */
export type StatedFact = { kind: FactKind; value: number; page: number };

/** Raise this number when other facts or kinds of pages are read from the same text: all files are then read again. */
export const FACTS_VERSION = 6;

/** An amount outside these limits is a slip, or no fact of an event. */
export const FACT_LIMITS: Record<FactKind, { min: number; max: number }> = {
  budget: { min: 1_000, max: 1_000_000_000 },
  people: { min: 10, max: 1_000_000 },
  days: { min: 1, max: 365 },
};

const NUMBER = String.raw`(?:\d{1,3}(?:,\d{3}){1,3}(?:\.\d{1,2})?|\d{1,12}(?:\.\d{1,4})?|[一二两三四五六七八九十百千]{1,12}(?=[万亿人位名天日夜晚]))`;
const MONEY = String.raw`(?:¥|￥|rmb|人民币)?\s*(${NUMBER})\s*(亿|万)?\s*(元)?`;
/** Between a label and its number. */
const IS = String.raw`\s*(?:总额|金额|总计|合计)?\s*(?:[（(][^（）()]{0,10}[）)])?\s*(?:[:：]|为|是|约|大约|大概|预计|共|共计|总计|控制在|不超过|在|\s){0,4}\s*`;
/** A label begins where no other word does: 媒介预算 is the budget of a part. */
const START = String.raw`(?<![\p{Script=Han}\p{L}\p{N}])`;
const WHOLE = '活动|项目|整体|总体|本次|本项目|全案|年度|全年|方案|本次活动|本方案|会议|年会|婚礼|执行';

/** A way to state a fact. Of several statements the one with the largest `weight` counts, and of these the one on the first page. */
type Pattern = { kind: FactKind; weight: number; pattern: RegExp };

const PATTERNS: Pattern[] = [
  {
    kind: 'budget',
    weight: 3,
    pattern: of(`${START}(?:${WHOLE})?(?:总预算|预算总额|总费用|费用总额|总报价|总投入|总经费)${IS}${MONEY}`),
  },
  { kind: 'budget', weight: 3, pattern: of(`^${MONEY}\\s*(?:总预算|活动预算|项目预算|整体预算|预算总额)\\s*$`) },
  { kind: 'budget', weight: 2, pattern: of(`${START}(?:${WHOLE})?(?:预算|经费)(?:总额)?${IS}${MONEY}`) },
  {
    kind: 'people',
    weight: 3,
    pattern: of(
      `${START}(?:预计|计划|拟)?(?:活动|参会|参与|参加|与会|到场|出席|邀请|受邀|嘉宾|来宾|宾客|宴会|用餐|现场|参训|报名|总|会议|年会)?(?:总)?人数${IS}(${NUMBER})\\s*(万)?\\s*(?:余|多)?(?:人|位|名)?(?![.%\\d]|,\\d|\\s*万?\\s*[余多]?\\s*[人位名]?次)`,
    ),
  },
  {
    kind: 'people',
    weight: 3,
    pattern: of(
      `${START}(?:活动|会议|年会|大会|论坛|峰会|晚宴|宴会|参会|到场|婚礼|团建)?规模${IS}(${NUMBER})\\s*(万)?\\s*(?:余|多)?(?:人|位|名)(?!次)`,
    ),
  },
  {
    kind: 'people',
    weight: 2,
    pattern: of(
      `(?<![\\d.,])(${NUMBER})\\s*(万)?\\s*(?:余|多)?(?:人|位|名)\\s*(?:参会|与会|到场|出席|受邀|宾客|来宾|员工|规模|年会|大会|晚宴|晚会|论坛|峰会|团建|宴会|同场)`,
    ),
  },
  { kind: 'days', weight: 3, pattern: of(`(?:为期|历时|连续)\\s*(${NUMBER})\\s*()(?:天|日)`) },
  { kind: 'days', weight: 3, pattern: of(`${START}(?:活动)?(?:天数|周期|时长)${IS}(${NUMBER})\\s*()天`) },
  {
    kind: 'days',
    weight: 3,
    pattern: of(`^(${NUMBER})\\s*()(?:天|日)\\s*(?:活动期|活动天数|展期|会期|赛期|营期)\\s*$`),
  },
  // Not 三天两夜双人游, which is a prize, nor 两天日程压到一天.
  {
    kind: 'days',
    weight: 2,
    pattern: of(`(?<![\\d.,])(${NUMBER})\\s*()[天日]\\s*${NUMBER}\\s*(?:晚|夜)(?:行程|旅程|营地?)?(?![\\p{L}\\p{N}])`),
  },
  {
    kind: 'days',
    weight: 2,
    pattern: of(
      `(?<![\\d.,第前后近])(${NUMBER})\\s*()[天日]\\s*(?:宾客)?(?:日程|议程|行程|旅程|赛程|轮值表|节目单)\\s*$`,
    ),
  },
];

const DATE = String.raw`(?:(\d{4})\s*[年./-]\s*)?(\d{1,2})\s*[月./-]\s*(\d{1,2})\s*[日号]?`;
/** 活动时间：10月1日至7日. Hours (3.5-4小时) and times of day are no dates. */
const DATES = of(
  `(?:(?:活动|举办|会议|大会|展览|展出|演出|赛事|比赛|培训|论坛|峰会|研学|营会)(?:时间|日期|期间|周期|档期)|展期|会期|活动期)\\s*[:：]?\\s*${DATE}\\s*(?:[(（]?周[一二三四五六日][)）]?)?\\s*[-—–~～至到]{1,2}\\s*(?:${DATE}|(\\d{1,2})\\s*[日号]?)(?!\\s*(?:小时|分|万|元|%|点|个|月|[:：\\d]))`,
);

function of(source: string): RegExp {
  return new RegExp(source, 'giu');
}

type Statement = StatedFact & { weight: number };

/** Reads the facts out of the text of all pages, the first page first: at most one of each kind, in the order of FACT_KINDS. */
export function readPlanFacts(pages: readonly string[]): StatedFact[] {
  const statements = pages.flatMap((text, index) => statementsOf(normalized(text), index + 1));
  const total = tableTotal(pages);
  if (total) statements.push(total);
  return FACT_KINDS.flatMap((kind) => {
    const { min, max } = FACT_LIMITS[kind];
    const [first] = statements
      .filter((statement) => statement.kind === kind && statement.value >= min && statement.value <= max)
      .sort((a, b) => b.weight - a.weight || a.page - b.page);
    return first ? [{ kind, value: first.value, page: first.page }] : [];
  });
}

/** Bounds the work on a page that is one endless line. */
const MAX_LINE = 500;

const normalized = (text: string) =>
  text
    .normalize('NFKC')
    .replaceAll('，', ',')
    .replaceAll(/[ \t\u00a0]+/g, ' ');

/** A line that makes the number at the end of the line before it a number of visits: 人次, 万人次. 次日 begins another sentence. */
const VISITS = /^万?\s*[余多]?\s*[人位名]?次(?![日年月])/;

function statementsOf(text: string, page: number): Statement[] {
  // A label and its number often stand on two lines of a text box; a pattern with ^ and $ sees pairs of lines.
  const lines = text.split('\n').map((line) => line.trim().slice(0, MAX_LINE));
  const pairs = lines.slice(1).map((line, at) => `${lines[at] ?? ''} ${line}`);
  // 300 above a line 人次 counts visits, not people.
  const linesOfPeople = lines.filter((_, at) => !VISITS.test(lines[at + 1] ?? ''));
  const stated = PATTERNS.flatMap(({ kind, weight, pattern }) =>
    [...(kind === 'people' ? linesOfPeople : lines), ...pairs].flatMap((line) =>
      Array.from(line.matchAll(pattern), (match) => ({ kind, weight, page, value: valueOf(kind, match) })),
    ),
  );
  const spans = [...lines, ...pairs].flatMap((line) => Array.from(line.matchAll(DATES), daysOf));
  return [...stated, ...spans.map((value) => ({ kind: 'days' as const, weight: 2, page, value }))];
}

/** Returns the days from the first to the last date of a match of DATES, both included; 0 for dates that do not exist. */
function daysOf(match: RegExpMatchArray): number {
  const [, startYear, startMonth, startDay, endYear, endMonth, endDay, dayAlone] = match;
  const from = dateOf(startYear, startMonth, startDay);
  const to = dateOf(endYear ?? startYear, endMonth ?? startMonth, endDay ?? dayAlone);
  if (from === null || to === null) return 0;
  const isNextYear = to < from && startYear === undefined && endYear === undefined && endMonth !== undefined;
  return Math.round((to - from) / DAY_MS) + (isNextYear ? 366 : 1);
}

/** Returns a date in epoch ms; null when there is no such date. Without a year it lies in one without a 29th of February. */
function dateOf(year = '2025', month = '', day = ''): number | null {
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) ? date.getTime() : null;
}

/** Returns the value of a match; 0 for a sum of money that is not written as one (预算 3). */
function valueOf(kind: FactKind, [, number = '', power = '', yuan]: RegExpMatchArray): number {
  const digits = numberOf(number.replaceAll(',', '')) ?? 0;
  const value = Math.round(digits * (power === '亿' ? 100_000_000 : power === '万' ? 10_000 : 1));
  const isMoney = power !== '' || yuan !== undefined || number.includes(',') || value >= 10_000;
  return kind === 'budget' && !isMoney ? 0 : value;
}

const BUDGET_PAGE = /预算|费用|报价|经费/u;
const TOTAL = /(?:总计|合计|总价)(?![\p{Script=Han}]*人)/gu;
const CELL =
  /(\d{1,3}(?:,\d{3}){1,3}(?:\.\d{1,2})?|\d{4,12}(?:\.\d{1,2})?|\d{1,8}(?:\.\d{1,4})?(?=\s*万))\s*(万)?(?!\s*[%\d])/u;
/** A total stands in the row of its label, which may be several lines of text. */
const ROW = 80;

/** Returns the total of the budget table; null when there is none, or several pages have totals and none is called the total of all. */
function tableTotal(pages: readonly string[]): Statement | null {
  const totals = pages.flatMap((text, index) => {
    const page = normalized(text);
    const last = BUDGET_PAGE.test(page) ? [...page.matchAll(TOTAL)].at(-1) : undefined;
    const cell = last && CELL.exec(page.slice(last.index, last.index + ROW));
    if (!cell) return [];
    const isInTenThousands = cell[2] === '万' || /单位[:：]?\s*万元|[（(]万元[)）]/u.test(page);
    const value = Math.round(Number((cell[1] ?? '').replaceAll(',', '')) * (isInTenThousands ? 10_000 : 1));
    return [{ kind: 'budget' as const, weight: 1, page: index + 1, value, isOfAll: last[0] !== '合计' }];
  });
  const ofAll = totals.filter(({ isOfAll }) => isOfAll);
  const [only, ...more] = totals.length > 1 ? ofAll : totals;
  return only && more.length === 0 ? only : null;
}
