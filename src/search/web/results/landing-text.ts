import type { FilterGroup } from '../filters/filter-groups.ts';
import { NO_FILTERS, type Filters, type ReportQuery } from '../filters/report-query.ts';
import { formatNumber } from '../../../protocol/format-number.ts';

/** Names of the other list that the text tells. */
const MAX_NAMES = 5;

/**
 * Returns the text of a page that shows one theme or one industry and nothing else: how many plans of which formats there are, and
 * where they come from. "" for any other view of /report.
 */
export function landingText(query: ReportQuery, groups: readonly FilterGroup[], total: number): string {
  const chosen = groups.filter(({ key }) => query[key] !== NO_FILTERS[key]);
  const [only] = chosen;
  const isLanding = query.searchKey === '' && query.page === 1 && query.sort === 'relevance' && chosen.length === 1;
  if (!isLanding || !only?.current || total === 0) return '';
  const other: keyof Filters | null =
    only.key === 'themeId' ? 'industryId' : only.key === 'industryId' ? 'themeId' : null;
  if (other === null) return '';
  const choicesOf = (key: keyof Filters) => groups.find((group) => group.key === key)?.choices ?? [];
  const { name, count } = only.current;
  const formats = choicesOf('filetype').map((format) => `${format.name} ${formatNumber(format.count)} 份`);
  const others = choicesOf(other)
    .toSorted((one, two) => two.count - one.count)
    .slice(0, MAX_NAMES)
    .map((choice) => choice.name);
  const free = choicesOf('isFree')[0]?.count ?? 0;
  const kind = other === 'industryId' ? '行业' : '活动类型';
  return [
    `${name.replace(/方案$/, '')}方案共 ${formatNumber(Math.max(count, total))} 份`,
    ...(formats.length > 0 ? [`，其中 ${formats.join('、')}`] : []),
    ...(others.length > 0 ? [`；常见的${kind}有${others.join('、')}`] : []),
    ...(free > 0 ? [`；${formatNumber(free)} 份可免费下载`] : []),
    '。每份都有封面、目录和正文摘录，登录后可预览前 10 页。',
  ].join('');
}
