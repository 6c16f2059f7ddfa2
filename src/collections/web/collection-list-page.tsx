import { callFrom } from '../../page-context.ts';
import { pageMeta } from '../../page-head.ts';
import { expectOk } from '../../protocol/call.ts';
import { pageNumber } from '../../protocol/paging.ts';
import { LinkButton } from '../../ui/controls/button.tsx';
import { Empty } from '../../ui/feedback/empty.tsx';
import { Pager } from '../../ui/navigation/pager.tsx';
import { useIsListPending } from '../../ui/navigation/use-is-list-pending.ts';
import { collectionPath, collectionsPath } from '../addresses.ts';
import { COLLECTION_PAGE_SIZE, listCollections, type CollectionItem } from '../contract.ts';
import type { Route } from './+types/collection-list-page';
import { Banner } from './banner.tsx';
import { CollectionFacts } from './collection-facts.tsx';
import styles from './collection-list-page.module.css';
import { formatNumber } from '../../protocol/format-number.ts';

export async function loader({ context, request }: Route.LoaderArgs) {
  const page = pageNumber.parse(new URL(request.url).searchParams.get('page') ?? 1);
  return expectOk(await callFrom(context)(listCollections, { page, pageSize: COLLECTION_PAGE_SIZE }));
}

export function meta({ loaderData, matches }: Route.MetaArgs): Route.MetaDescriptors {
  const root = matches[0].loaderData;
  const site = root?.site.name ?? '策库';
  if (!loaderData) return [{ title: `专题 - ${site}` }];
  const { page, total, items } = loaderData;
  const names = items.slice(0, 6).map(({ name }) => name);
  const description = `${site}的 ${formatNumber(total)} 个专题，按活动场合编选的策划与营销方案${names.length > 0 ? `：${names.join('、')}` : ''}。`;
  return pageMeta(root, {
    title: page > 1 ? `专题（第 ${page} 页）` : '专题',
    description,
    path: collectionsPath(page),
    isIndexed: items.length > 0,
  });
}

/** Cards above the fold on a desktop. */
const ABOVE_FOLD = 6;

/** Renders /collection: the collections in the order of the operator (§2). */
export default function CollectionListPage({ loaderData }: Route.ComponentProps) {
  const { items, page, page_size: pageSize, total } = loaderData;
  const isPending = useIsListPending();
  return (
    <section className={styles['page']} aria-labelledby="collections-title" aria-busy={isPending}>
      <h1 id="collections-title" className={styles['title']}>
        专题
      </h1>
      <p className={styles['lead']}>按活动场合编选的方案，一个专题一次看全。</p>
      {isPending ? (
        <CardsSkeleton count={items.length || COLLECTION_PAGE_SIZE} />
      ) : items.length === 0 ? (
        <Nothing total={total} />
      ) : (
        <ul className={styles['grid']}>
          {items.map((item, index) => (
            <li key={item.id}>
              <CollectionCard collection={item} isPriority={index < ABOVE_FOLD} />
            </li>
          ))}
        </ul>
      )}
      <Pager page={page} pageSize={pageSize} total={total} hrefOf={collectionsPath} label="专题" />
    </section>
  );
}

function Nothing({ total }: { total: number }) {
  return total > 0 ? (
    <Empty title="没有这一页">
      <LinkButton to={collectionsPath()}>回到第一页</LinkButton>
    </Empty>
  ) : (
    <Empty title="专题正在编选，敬请期待">
      <LinkButton to="/report">先去找方案</LinkButton>
    </Empty>
  );
}

/** The widths of the covers in a card, a fifth too wide, like those of DocumentCard. */
const SIZES = {
  large: '(max-width: 767px) 75vw, (max-width: 1023px) 40vw, 310px',
  small: '(max-width: 767px) 38vw, (max-width: 1023px) 20vw, 155px',
};

/** A collection in the grid. The whole card is one link that opens the collection in a new tab (C-22). */
function CollectionCard({ collection, isPriority }: { collection: CollectionItem; isPriority: boolean }) {
  return (
    <a className={styles['card']} href={collectionPath(collection.id)} target="_blank" rel="noopener">
      <Banner covers={collection.covers} sizes={SIZES} isPriority={isPriority} />
      <span className={styles['text']}>
        <h2 className={styles['name']}>{collection.name}</h2>
        <span className={styles['description']}>{collection.description}</span>
        <CollectionFacts collection={collection} />
      </span>
    </a>
  );
}

/** Empty cards of the final size. */
function CardsSkeleton({ count }: { count: number }) {
  return (
    <ul className={styles['grid']} aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <li key={index} className={styles['card']}>
          <span className={styles['blankBanner']} />
          <span className={styles['text']}>
            <span className={styles['name']}>&nbsp;</span>
            <span className={styles['description']}>&nbsp;</span>
            <span className={styles['blank']} />
          </span>
        </li>
      ))}
    </ul>
  );
}
