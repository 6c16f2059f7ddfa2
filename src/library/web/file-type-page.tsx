import { data, isRouteErrorResponse } from 'react-router';
import { callFrom } from '../../page-context.ts';
import { failureMeta, pageMeta } from '../../page-head.ts';
import { CODE } from '../../protocol/codes.ts';
import { expectOk } from '../../protocol/call.ts';
import { ErrorView } from '../../site/web/errors/error-view.tsx';
import { NotFoundView } from '../../site/web/errors/not-found-view.tsx';
import { LinkButton } from '../../ui/controls/button.tsx';
import { Empty } from '../../ui/feedback/empty.tsx';
import { Pager } from '../../ui/navigation/pager.tsx';
import { useIsListPending } from '../../ui/navigation/use-is-list-pending.ts';
import { useLinkClicks } from '../../ui/navigation/use-link-clicks.ts';
import { Cover } from '../../ui/pictures/cover.tsx';
import { fileTypePath } from '../addresses.ts';
import {
  FILE_TYPE_PAGE_SIZE,
  listFilesOfType,
  listFileTypes,
  type DocumentItem,
  type FileTypeItem,
} from '../contract.ts';
import type { Route } from './+types/file-type-page';
import styles from './file-type-page.module.css';
import { formatNumber } from '../../protocol/format-number.ts';

/** Loads the file types and a page of the documents of one. Throws 404 for an id that no type has (C-27). */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const call = callFrom(context);
  const page = Number(new URL(request.url).searchParams.get('page') ?? 1);
  const [types, files] = await Promise.all([
    call(listFileTypes, {}).then(expectOk),
    call(listFilesOfType, { id: params.id, page, pageSize: FILE_TYPE_PAGE_SIZE }),
  ]);
  const type = types.data.find(({ id }) => String(id) === params.id);
  if (files.code === CODE.notFound || !type) throw data(null, { status: 404 });
  const shown = expectOk(files);
  return {
    types: types.data,
    type,
    files: shown.files.map(toRow),
    page: shown.page,
    pageSize: shown.page_size,
    total: shown.count,
  };
}

/** The facts of a row, so that the data of the page stays small. */
const toRow = (item: DocumentItem) => ({
  id: item.id,
  name: item.name,
  cover: item.share_url,
  coverSet: item.cover_srcset,
  color: item.cover_color,
  facts: [
    item.page_count > 0 ? `${item.page_count} 页` : '',
    item.organization.name,
    item.industry.name,
    item.time_text,
  ].filter(Boolean),
});
type Row = ReturnType<typeof toRow>;

export function meta({ loaderData, matches, error }: Route.MetaArgs): Route.MetaDescriptors {
  const root = matches[0].loaderData;
  const site = root?.site.name ?? '策库';
  if (!loaderData) return failureMeta(root, error);
  const { type, page, files } = loaderData;
  return pageMeta(root, {
    title: `${type.name} 方案${page > 1 ? `（第 ${page} 页）` : ''}`,
    description: `${site}收录 ${formatNumber(type.count)} 份 ${type.name} 格式的活动策划与营销方案。${type.description}。`,
    path: fileTypePath(type.id, page),
    isIndexed: files.length > 0,
  });
}

/** Renders /filetype/{id}: tiles of the file types, and the documents of one (§2). */
export default function FileTypePage({ loaderData }: Route.ComponentProps) {
  const { types, type, files, page, pageSize, total } = loaderData;
  const isPending = useIsListPending();
  const onClick = useLinkClicks();
  return (
    <section className={styles['page']} aria-labelledby="file-type-title" aria-busy={isPending}>
      <h1 id="file-type-title" className={styles['title']}>
        {type.name} 方案
      </h1>
      <nav className={styles['tiles']} aria-label="格式" onClick={onClick}>
        {types.map((each) => (
          <Tile key={each.id} type={each} isCurrent={each.id === type.id} />
        ))}
      </nav>
      {files.length > 0 ? (
        <ol className={styles['rows']} data-pending={isPending || undefined}>
          {files.map((file, index) => (
            <FileRow key={file.id} file={file} isPriority={index < 3} />
          ))}
        </ol>
      ) : (
        <Empty title={total > 0 ? '没有这一页' : '这里还没有方案'}>
          <LinkButton to={total > 0 ? fileTypePath(type.id) : '/report'}>
            {total > 0 ? '回到第一页' : '看看全部方案'}
          </LinkButton>
        </Empty>
      )}
      <Pager
        page={page}
        pageSize={pageSize}
        total={total}
        hrefOf={(number) => fileTypePath(type.id, number)}
        label="方案"
      />
      {total > pageSize && (
        <p className={styles['more']}>
          <a href={`/report?filetype=${type.id}`}>按活动类型、行业与时间筛选 {type.name} 方案</a>
        </p>
      )}
    </section>
  );
}

function Tile({ type, isCurrent }: { type: FileTypeItem; isCurrent: boolean }) {
  return (
    <a className={styles['tile']} href={fileTypePath(type.id)} aria-current={isCurrent ? 'page' : undefined}>
      <span className={styles['name']}>
        {type.name}
        <span className={styles['count']}>{formatNumber(type.count)} 份</span>
      </span>
      <span className={styles['description']}>{type.description}</span>
    </a>
  );
}

function FileRow({ file, isPriority }: { file: Row; isPriority: boolean }) {
  return (
    <li>
      <a className={styles['row']} href={`/detail/${file.id}`} target="_blank" rel="noopener">
        <Cover
          className={styles['cover']}
          src={file.cover}
          srcSet={file.coverSet}
          sizes="(max-width: 767px) 112px, 144px"
          color={file.color}
          isPriority={isPriority}
        />
        <span className={styles['about']}>
          <span className={styles['heading']}>{file.name}</span>
          <span className={styles['facts']}>
            {file.facts.map((fact) => (
              <span key={fact}>{fact}</span>
            ))}
          </span>
        </span>
      </a>
    </li>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (!isRouteErrorResponse(error) || error.status !== 404) return <ErrorView error={error} isInLayout />;
  return (
    <NotFoundView>
      <LinkButton to="/report" look="primary" size="large">
        看看全部方案
      </LinkButton>
    </NotFoundView>
  );
}
