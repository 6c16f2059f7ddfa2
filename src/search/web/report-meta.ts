import type { MetaDescriptor } from 'react-router';
import { reportHref, type ReportQuery } from './report-query.ts';

type Loaded = {
  query: ReportQuery;
  answer: {
    total_count: number;
    corrected_from: string;
    dropped: string[];
    themes: { id: number; name: string }[];
    facets: { industries: { id: number; name: string }[] };
  } | null;
};

/** Title, description and canonical address. What only a keyword or a deep page leads to stays out of the indexes. */
export function reportMeta(page: { siteName: string; origin: string; loaded: Loaded | null }): MetaDescriptor[] {
  if (!page.loaded) return [{ title: `搜方案 - ${page.siteName}` }];
  const { query, answer } = page.loaded;
  const theme = answer?.themes.find((candidate) => candidate.id === query.themeId)?.name ?? '';
  const industry = answer?.facets.industries.find((candidate) => candidate.id === query.industryId)?.name ?? '';
  const about = [query.searchKey, theme, industry].filter(Boolean).join(' · ');
  const title = about ? `${about.replace(/方案$/, '')}方案 - ${page.siteName}` : `搜方案 - ${page.siteName}`;
  const found = answer ? `共 ${answer.total_count} 份` : '';
  // What answers another question than its address asks is no page of its own.
  const isForgiven = query.isExact || (answer !== null && (answer.corrected_from !== '' || answer.dropped.length > 0));
  // Another order or a finer choice of the same documents is no page of its own either.
  const isView = query.sort !== 'relevance' || query.pubdate > 0 || query.pages > 0 || query.isFree;
  const isIndexed =
    answer !== null && answer.total_count > 0 && !isForgiven && !isView && (query.searchKey === '' || query.page === 1);
  return [
    { title },
    {
      name: 'description',
      content: `${about || '活动策划与营销'}方案${found}，PPT 与 PDF，可按活动类型、行业与格式筛选并在线预览。`,
    },
    { tagName: 'link', rel: 'canonical', href: `${page.origin}${reportHref(query, { page: query.page })}` },
    ...(isIndexed ? [] : [{ name: 'robots', content: 'noindex' }]),
  ];
}
