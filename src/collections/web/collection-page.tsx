import { data, isRouteErrorResponse } from 'react-router';
import { sharePicture } from '../../library/addresses.ts';
import { toCardItem, type CardItem } from '../../library/web/card-item.ts';
import { DocumentGridSkeleton } from '../../library/web/document-grid.tsx';
import { loadOwned } from '../../membership/web/load-owned.ts';
import { useOwned } from '../../membership/web/use-owned.ts';
import { callFrom } from '../../page-context.ts';
import { failureMeta, pageMeta } from '../../page-head.ts';
import { documentList, StructuredData } from '../../structured-data.tsx';
import { expectOk } from '../../protocol/call.ts';
import { CODE } from '../../protocol/codes.ts';
import { rowId } from '../../protocol/fields.ts';
import { pageNumber } from '../../protocol/paging.ts';
import { DocumentCards } from '../../shelf/web/document-cards.tsx';
import { ErrorView } from '../../site/web/errors/error-view.tsx';
import { NotFoundView } from '../../site/web/errors/not-found-view.tsx';
import { LinkButton } from '../../ui/controls/button.tsx';
import { Empty } from '../../ui/feedback/empty.tsx';
import { Pager } from '../../ui/navigation/pager.tsx';
import { useIsListPending } from '../../ui/navigation/use-is-list-pending.ts';
import { Phrases } from '../../ui/text/line-breaks.tsx';
import { collectionPath, collectionsPath } from '../addresses.ts';
import { COLLECTION_FILES_PAGE_SIZE, getCollection, listCollectionFiles, type CollectionItem } from '../contract.ts';
import type { Route } from './+types/collection-page';
import { Banner } from './banner.tsx';
import { CollectionFacts } from './collection-facts.tsx';
import styles from './collection-page.module.css';
import { formatNumber } from '../../protocol/format-number.ts';

/** Loads a collection and a page of its files. Throws 404 for a collection that is unknown or not shown. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const id = rowId.parse(searchParams.get('id') ?? 0);
  const page = pageNumber.parse(searchParams.get('page') ?? 1);
  const call = callFrom(context);
  const [collection, files] = await Promise.all([
    call(getCollection, { id }),
    call(listCollectionFiles, { id, page, pageSize: COLLECTION_FILES_PAGE_SIZE }),
  ]);
  if ([collection.code, files.code].includes(CODE.notFound)) throw data(null, { status: 404 });
  const { items, total, page_size: pageSize } = expectOk(files);
  return {
    collection: expectOk(collection),
    files: items.map(toCardItem),
    owned: await loadOwned(call, items),
    page,
    pageSize,
    total,
  };
}

export function meta({ loaderData, matches, error }: Route.MetaArgs): Route.MetaDescriptors {
  const root = matches[0].loaderData;
  if (!loaderData) return failureMeta(root, error);
  const { collection, page, files } = loaderData;
  const description = `${collection.name}：${formatNumber(collection.file_count)} 份活动策划与营销方案。${collection.description}`;
  const picture = collection.banner ? sharePicture(collection.banner, collection.name) : undefined;
  return pageMeta(root, {
    title: `${collection.name}${page > 1 ? `（第 ${page} 页）` : ''} - 专题`,
    description,
    path: collectionPath(collection.id, page),
    share: { title: collection.name, ...(picture && { picture }) },
    isIndexed: files.length > 0,
  });
}

/** Renders /collection/detail?id=…: the collection and its documents (§2). */
export default function CollectionPage({ loaderData }: Route.ComponentProps) {
  const { collection, files, page, pageSize, total } = loaderData;
  const isPending = useIsListPending();
  return (
    <section className={styles['page']} aria-labelledby="collection-title" aria-busy={isPending}>
      <CollectionHead collection={collection} />
      <StructuredData facts={(origin) => documentList(origin, files)} />
      {isPending ? (
        <DocumentGridSkeleton count={files.length || COLLECTION_FILES_PAGE_SIZE} />
      ) : files.length === 0 ? (
        <Nothing id={collection.id} total={total} />
      ) : (
        <Files files={files} owned={loaderData.owned} />
      )}
      <Pager
        page={page}
        pageSize={pageSize}
        total={total}
        hrefOf={(number) => collectionPath(collection.id, number)}
        label="方案"
      />
    </section>
  );
}

/** The widths of the covers in the banner of the page. */
const SIZES = { large: '(max-width: 767px) 67vw, 380px', small: '(max-width: 767px) 34vw, 190px' };

function CollectionHead({ collection }: { collection: CollectionItem }) {
  return (
    <header className={styles['head']}>
      <div className={styles['banner']}>
        <Banner covers={collection.covers} sizes={SIZES} isPriority />
      </div>
      <div className={styles['about']}>
        <a className={styles['kind']} href={collectionsPath()}>
          专题
        </a>
        <h1 id="collection-title" className={styles['title']}>
          <Phrases text={collection.name} />
        </h1>
        {collection.description && <p className={styles['description']}>{collection.description}</p>}
        <CollectionFacts collection={collection} />
      </div>
    </header>
  );
}

/** Cards above the fold on a desktop. */
const ABOVE_FOLD = 4;

function Files(props: { files: CardItem[]; owned: number[] }) {
  const { files } = props;
  const owned = useOwned(
    files.map((file) => file.id),
    props.owned,
  );
  return (
    <div className={styles['files']}>
      <DocumentCards items={files} owned={owned} aboveFold={ABOVE_FOLD} />
    </div>
  );
}

function Nothing({ id, total }: { id: number; total: number }) {
  return total > 0 ? (
    <Empty title="没有这一页">
      <LinkButton to={collectionPath(id)}>回到第一页</LinkButton>
    </Empty>
  ) : (
    <Empty title="这个专题里暂时没有可以查看的方案">
      <LinkButton to={collectionsPath()}>看看其他专题</LinkButton>
    </Empty>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (!isRouteErrorResponse(error) || error.status !== 404) return <ErrorView error={error} isInLayout />;
  return (
    <NotFoundView>
      <LinkButton to={collectionsPath()} look="primary" size="large">
        看看其他专题
      </LinkButton>
    </NotFoundView>
  );
}
