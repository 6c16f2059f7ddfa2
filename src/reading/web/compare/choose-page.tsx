import { isRouteErrorResponse, Link } from 'react-router';
import { listSimilar, listVersions } from '../../../library/contract.ts';
import { loadOwned } from '../../../membership/web/load-owned.ts';
import { useOwned } from '../../../membership/web/use-owned.ts';
import { callFrom } from '../../../page-context.ts';
import { failureMeta, unlistedMeta } from '../../../page-head.ts';
import { CODE } from '../../../protocol/codes.ts';
import { searchDocuments } from '../../../search/contract.ts';
import { ErrorView } from '../../../site/web/errors/error-view.tsx';
import { NotFoundView } from '../../../site/web/errors/not-found-view.tsx';
import { Button, LinkButton } from '../../../ui/controls/button.tsx';
import { GetForm } from '../../../ui/navigation/get-form.tsx';
import { Cover } from '../../../ui/pictures/cover.tsx';
import { Phrases } from '../../../ui/text/line-breaks.tsx';
import { plainName } from '../../../ui/text/highlight.tsx';
import { comparePath } from '../../addresses.ts';
import { documentIdOf } from '../../../library/addresses.ts';
import type { Route } from './+types/choose-page';
import styles from './choose-page.module.css';
import { loadDeck } from './load-deck.ts';

/** The fields of a document that a row shows; `cover` is "" where the list has none. */
type Choice = { id: number; name: string; cover: string; facts: string };

/** Maximum length of a title that is searched for. */
const MAX_TITLE = 50;

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const call = callFrom(context);
  const fid = documentIdOf(params.left, null);
  const text = (new URL(request.url).searchParams.get('search_key') ?? '').trim().slice(0, MAX_TITLE);
  const { detail } = await loadDeck(call, fid);
  // Without its neighbours, or without results, the page still shows the rest.
  const [versions, similar, found] = await Promise.all([
    call(listVersions, { fid }).catch(() => null),
    call(listSimilar, { fid }).catch(() => null),
    text === '' ? null : call(searchDocuments, { search_key: text }).catch(() => null),
  ]);
  const others = versions?.data?.versions ?? [];
  const groups = {
    versions: others.map((version): Choice => ({
      id: version.fid,
      name: version.name,
      cover: '',
      facts: factsOf(version.file_type_text, version.page_count, version.time_text),
    })),
    similar: (similar?.data?.files ?? []).map(toChoice),
    found: (found?.data?.item_list ?? []).map(toChoice).filter(({ id }) => id !== fid),
  };
  const isFailed = text !== '' && found?.code !== CODE.ok && found?.code !== CODE.searchLimit;
  const ids = [...groups.versions, ...groups.similar, ...groups.found].map(({ id }) => ({ id }));
  return {
    fid,
    name: detail.name,
    text,
    groups,
    // A refused search (too many in a minute) says why in its message.
    problem: isFailed ? (found?.message ?? '搜索暂时不可用，请稍后再试') : '',
    owned: await loadOwned(call, ids),
  };
}

function toChoice(item: {
  id: number;
  name: string;
  share_url: string;
  file_type_text: string;
  page_count: number;
  time_text: string;
}): Choice {
  const { id, name, share_url: cover, file_type_text: type, page_count: pages, time_text: day } = item;
  return { id, name: plainName(name), cover, facts: factsOf(type, pages, day) };
}

const factsOf = (type: string, pages: number, day: string): string =>
  [type, pages > 0 ? `${pages} 页` : '', day].filter(Boolean).join(' · ');

export function meta({ loaderData, matches, error }: Route.MetaArgs): Route.MetaDescriptors {
  const root = matches[0].loaderData;
  return loaderData ? unlistedMeta(root, '选择要对比的方案') : failureMeta(root, error);
}

/** Chooses the second document of a comparison: another version, a similar document, or one found by its title. */
export default function ChoosePage({ loaderData }: Route.ComponentProps) {
  const { fid, name, text, groups, problem } = loaderData;
  const owned = useOwned(
    [...groups.found, ...groups.versions, ...groups.similar].map(({ id }) => id),
    loaderData.owned,
  );
  const list = (title: string, choices: Choice[]) =>
    choices.length > 0 && (
      <section className={styles['group']} aria-label={title}>
        <h2>{title}</h2>
        <ul>
          {choices.map((choice) => (
            <li key={choice.id}>
              <Link to={comparePath(fid, choice.id)} className={styles['choice']}>
                {choice.cover !== '' && <Cover src={choice.cover} className={styles['cover']} />}
                <span className={styles['text']}>
                  <span className={styles['name']}>
                    <Phrases text={choice.name} />
                  </span>
                  <span className={styles['facts']}>
                    {choice.facts}
                    {owned.has(choice.id) && <b className={styles['owned']}>已购</b>}
                  </span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </section>
    );
  return (
    <div className={styles['page']}>
      <h1>选择要对比的方案</h1>
      <p className={styles['lead']}>
        与<Link to={`/detail/${fid}`}>《{name}》</Link>并排阅读
      </p>
      <p className={styles['narrow']}>对比阅读需要宽度 1200 像素以上的窗口，请在电脑上打开。</p>
      <GetForm className={styles['search']} role="search" aria-label="找要对比的方案">
        <input
          type="search"
          name="search_key"
          aria-label="按标题找方案"
          placeholder="按标题找方案"
          maxLength={MAX_TITLE}
          defaultValue={text}
          key={text}
        />
        <Button type="submit" look="primary">
          查找
        </Button>
      </GetForm>
      {text !== '' && groups.found.length === 0 && (
        <p className={styles['none']} role="status">
          {problem || `没有找到“${text}”，可以换个说法，或从下面选择`}
        </p>
      )}
      {list('搜索结果', groups.found)}
      {list('其他版本', groups.versions)}
      {list('相似方案', groups.similar)}
    </div>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (!isRouteErrorResponse(error) || error.status !== 404) return <ErrorView error={error} isInLayout />;
  return (
    <NotFoundView>
      <LinkButton to="/report" look="primary" size="large">
        搜索方案
      </LinkButton>
    </NotFoundView>
  );
}
