import { type ReactNode, useEffect } from 'react';
import { data, useLocation } from 'react-router';
import type { Route } from './+types/home-page';
import { countLibrary, listDocuments, listThemes } from '../../library/contract.ts';
import { toCardItem } from '../../library/web/card-item.ts';
import { loadOwned } from '../../membership/web/load-owned.ts';
import { callFrom } from '../../page-context.ts';
import { pageMeta } from '../../page-head.ts';
import { StructuredData } from '../../structured-data.tsx';
import { ErrorView, isInlineFailure, messageOf } from '../../site/web/errors/error-view.tsx';
import { LazyBoundary, lazyWithRetry } from '../../ui/feedback/lazy-boundary.tsx';
import { expectOk } from '../../protocol/call.ts';
import { loadHotWords } from '../../search/web/field/load-hot-words.ts';
import { Hero } from './hero.tsx';
import { homeHref, readHomeQuery } from './home-query.ts';
import styles from './home-page.module.css';
import { Plans } from './plans.tsx';
import { ThemeTabs } from './theme-tabs.tsx';
import { formatNumber } from '../../protocol/format-number.ts';

/** C-23: 推荐 and the first eight themes. */
const THEMES_SHOWN = 8;

export async function loader({ request, context }: Route.LoaderArgs) {
  const call = callFrom(context);
  const query = readHomeQuery(new URL(request.url).searchParams);
  const list = (themeId: number, page: number) =>
    call(listDocuments, { theme_id: themeId, isRecommend: themeId === 0 ? 1 : 0, page }).then(expectOk);
  const isFirst = query.themeId === 0 && query.page === 1;
  const [hotWords, themes, counts, shown, recommended] = await Promise.all([
    loadHotWords(call),
    call(listThemes, {}).then(expectOk),
    call(countLibrary, {}).then(expectOk),
    list(query.themeId, query.page),
    // The hero shows the covers of recommended documents; the first page has them already.
    isFirst ? null : list(0, 1),
  ]);
  const theme = themes.data.find((candidate) => candidate.id === query.themeId) ?? null;
  if (query.themeId !== 0 && !theme) throw data(null, 404);
  return {
    query,
    theme,
    hotWords,
    themes: themes.data.slice(0, THEMES_SHOWN),
    counts,
    files: shown.files.map(toCardItem),
    owned: await loadOwned(call, shown.files),
    total: shown.total_count,
    pageSize: shown.page_size,
    covers: [...new Set((recommended ?? shown).files.map((file) => file.share_url).filter(Boolean))],
  };
}

export function meta({ loaderData, matches }: Route.MetaArgs): Route.MetaDescriptors {
  const root = matches[0].loaderData;
  const name = root?.site.name ?? '策库';
  if (!loaderData) return [{ title: name }];
  const { theme, query, counts, files } = loaderData;
  const description = `${name}收录 ${formatNumber(counts.documents)} 份活动策划与营销方案，覆盖 ${counts.industries} 个行业，支持按关键词、活动类型、行业与格式查找，在线预览，PPT 与 PDF 下载。`;
  const title = theme ? `${theme.name.replace(/方案$/, '')}方案` : '活动策划与营销方案资料库';
  return pageMeta(root, { title, description, path: homeHref(query), isIndexed: query.page === 1 || files.length > 0 });
}

/** The site and its search field, which search engines may show below the site's name. */
const siteFacts = (origin: string, siteName: string) => ({
  '@type': 'WebSite',
  name: siteName,
  url: `${origin}/index`,
  inLanguage: 'zh-CN',
  potentialAction: {
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: `${origin}/report?search_key={search_key}` },
    'query-input': 'required name=search_key',
  },
});

/** Loaded after the first view, and before it is needed: then the network may be gone. */
const loadFailure = () => import('../../ui/feedback/load-failure.tsx').then((module) => module.LoadFailure);
const LoadFailure = lazyWithRetry(loadFailure);

type Loaded = Route.ComponentProps['loaderData'];

/** What this tab showed last: its tabs stay above a list that cannot be loaded. */
let lastShown: Loaded | null = null;

export default function HomePage({ loaderData }: Route.ComponentProps) {
  const { query } = loaderData;
  useEffect(() => {
    lastShown = loaderData;
    loadFailure().catch(() => {});
  }, [loaderData]);
  return (
    <Page loaded={loaderData} themeId={query.themeId}>
      <Plans
        files={loaderData.files}
        owned={loaderData.owned}
        total={loaderData.total}
        pageSize={loaderData.pageSize}
        query={query}
      />
    </Page>
  );
}

/** A list of a theme that could not be loaded. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { search } = useLocation();
  if (!lastShown || !isInlineFailure(error)) return <ErrorView error={error} isInLayout />;
  return (
    <Page loaded={lastShown} themeId={readHomeQuery(new URLSearchParams(search)).themeId}>
      <LazyBoundary fallback={messageOf(error)}>
        <LoadFailure title="暂时无法读取方案" text={messageOf(error)} />
      </LazyBoundary>
    </Page>
  );
}

function Page({ loaded, themeId, children }: { loaded: Loaded; themeId: number; children: ReactNode }) {
  return (
    <div className={styles['page']}>
      <StructuredData facts={siteFacts} />
      <Hero counts={loaded.counts} covers={loaded.covers} hotWords={loaded.hotWords} />
      <section id="plans" className={styles['plans']} aria-label="方案">
        <ThemeTabs themes={loaded.themes} current={themeId} extra={loaded.theme} />
        {children}
      </section>
    </div>
  );
}
