import { useEffect, useState } from 'react';
import { Link, useRevalidator } from 'react-router';
import { useSending } from '../../../accounts/web/login/use-sending.ts';
import { privateMeta } from '../../../accounts/web/private-page.tsx';
import { ShareButton } from '../../../library/web/share/share-button.tsx';
import { callFrom } from '../../../page-context.ts';
import { CODE } from '../../../protocol/codes.ts';
import { formatNumber } from '../../../protocol/format-number.ts';
import { rowId } from '../../../protocol/fields.ts';
import { Button, LinkButton } from '../../../ui/controls/button.tsx';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { myCollectionPath } from '../../addresses.ts';
import { listCollection, type Collection } from '../../contract-folders.ts';
import { KeptItem } from '../lists/kept-item.tsx';
import { keptHeading, KeptPage, NothingKept } from '../lists/kept-page.tsx';
import { loadKept, pageOf } from '../lists/load-kept.ts';
import type { Route } from './+types/my-collection-page';
import { BulkBar } from './bulk-bar.tsx';
import { ChartItem } from './chart-item.tsx';
import { CollectionDialogs, type CollectionDialog } from './collection-dialogs.tsx';
import { saveCsv } from './collection-calls.ts';
import { FolderItem } from './folder-item.tsx';
import styles from './my-collection-page.module.css';

type Item = Collection['items'][number];
type DocumentOf<I> = I extends { item_type: 3 } ? I : never;

export async function loader({ context, request }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const folderId = rowId.parse(searchParams.get('folder') ?? 0);
  const isCharts = searchParams.get('show') === 'charts';
  const asked = callFrom(context)(listCollection, {
    page: pageOf(request),
    only_chart: isCharts ? 1 : 0,
    parent_id: folderId,
  });
  const reply = await asked.catch(() => null);
  return {
    loaded: await loadKept(asked, (data) => data.items),
    path: reply?.code === CODE.ok ? (reply.data?.path ?? []) : [],
    folders: reply?.code === CODE.ok ? (reply.data?.folder_count ?? 0) : 0,
    documents: reply?.code === CODE.ok ? (reply.data?.document_count ?? 0) : 0,
    isMissing: reply?.code === CODE.notFound,
    folderId,
    isCharts,
  };
}

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return privateMeta(matches[0].loaderData, '我的收藏');
}

/** Returns what a folder holds: 2 个文件夹 · 3 份方案. */
const totalText = (folders: number, items: number, unit: string) =>
  [folders > 0 && `${formatNumber(folders)} 个文件夹`, (items > 0 || folders === 0) && `${formatNumber(items)} ${unit}`]
    .filter(Boolean)
    .join(' · ');

/** Dialogs whose opener goes with what they move or delete. */
const TAKES_AWAY: ReadonlySet<CollectionDialog['kind']> = new Set(['delete', 'move-folder', 'move', 'remove']);

/** Renders /myCollection (C-83): folders, documents or charts, and what can be done with them. */
export default function MyCollectionPage({ loaderData }: Route.ComponentProps) {
  const { loaded, path, folderId, isCharts } = loaderData;
  const { revalidate } = useRevalidator();
  const { isSending, send } = useSending();
  const [dialog, setDialog] = useState<CollectionDialog | null>(null);
  // The keys of the chosen items; those of another page or folder are no longer on the screen and do not count.
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    // What was ticked before the scripts arrived stays.
    const ticked = document.querySelectorAll<HTMLInputElement>('input[name=chosen]:checked');
    setChosen(new Set([...ticked].map(({ value }) => value)));
  }, []);
  if (loaderData.isMissing) return <NoFolder />;
  const here = path.at(-1);
  const items = loaded.list?.items ?? [];
  const picked = items.flatMap((item) => (item.item_type !== 2 && chosen.has(keyOf(item)) ? [item] : []));
  const choose = (item: Item, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(keyOf(item));
    else next.delete(keyOf(item));
    setChosen(next);
  };
  const checkbox = (item: Item, name: string) => (
    <input
      type="checkbox"
      className={styles['check']}
      aria-label={`选择《${name}》`}
      name="chosen"
      value={keyOf(item)}
      checked={chosen.has(keyOf(item))}
      onChange={(event) => choose(item, event.currentTarget.checked)}
    />
  );
  const done = async () => {
    // A dialog that was closed while its call ran must not take along the one that was opened since.
    setDialog((open) => (open === dialog ? null : open));
    setChosen(new Set());
    await revalidate();
    if (dialog && TAKES_AWAY.has(dialog.kind)) keptHeading()?.focus();
  };
  const tools = (
    <>
      {here && (
        <Button
          look={items.length > 0 ? 'primary' : 'quiet'}
          onClick={() => setDialog({ kind: 'shortlist', folder: here })}
        >
          分享清单
        </Button>
      )}
      <Button onClick={() => setDialog({ kind: 'create', parentId: folderId })}>新建文件夹</Button>
      {!isCharts && loaderData.documents > 0 && (
        <Button aria-disabled={isSending} onClick={send(() => saveCsv(folderId))}>
          导出 CSV
        </Button>
      )}
    </>
  );
  return (
    <>
      <KeptPage<Item>
        title={here?.name ?? '我的收藏'}
        loaded={loaded}
        look="cards"
        label="收藏"
        totalText={totalText(
          loaderData.folders,
          (loaded.list?.total ?? 0) - loaderData.folders,
          isCharts ? '张图表' : '份方案',
        )}
        invitation="登录后查看和整理收藏"
        empty={
          here ? (
            <Empty
              title={`这个文件夹里没有${isCharts ? '图表' : '方案'}`}
              text={`在收藏里选中${isCharts ? '图表' : '方案'}，点“移动到”放进来`}
            >
              <LinkButton to={myCollectionPath({ folderId, isCharts: !isCharts })}>
                {isCharts ? '看其中的方案' : '看其中的图表'}
              </LinkButton>
            </Empty>
          ) : (
            <NothingKept text={isCharts ? '您还没有收藏过任何图表~' : '您还没有收藏过任何报告~'} />
          )
        }
        hrefOf={(page) => myCollectionPath({ folderId, isCharts, page })}
        tools={tools}
        above={
          <div className={styles['above']}>
            <nav className={styles['tabs']} aria-label="收藏的内容">
              <Link to={myCollectionPath({ folderId })} aria-current={isCharts ? undefined : 'page'}>
                方案
              </Link>
              <Link to={myCollectionPath({ folderId, isCharts: true })} aria-current={isCharts ? 'page' : undefined}>
                图表
              </Link>
            </nav>
            {path.length > 0 && (
              <nav className={styles['path']} aria-label="位置">
                {[{ id: 0, name: '我的收藏' }, ...path.slice(0, -1)].map((folder) => (
                  <span key={folder.id}>
                    <Link to={myCollectionPath({ folderId: folder.id, isCharts })}>{folder.name}</Link>
                    <span aria-hidden="true"> / </span>
                  </span>
                ))}
                <span aria-current="location">{here?.name}</span>
              </nav>
            )}
          </div>
        }
      >
        {(item) => {
          if (item.item_type === 2)
            return <FolderItem key={keyOf(item)} folder={item} isCharts={isCharts} onDialog={setDialog} />;
          if (item.item_type === 4)
            return (
              <ChartItem
                key={keyOf(item)}
                chart={item}
                choice={checkbox(item, item.name)}
                onRemove={() => setDialog({ kind: 'remove', items: [item] })}
              />
            );
          return (
            <KeptItem
              key={keyOf(item)}
              document={item}
              note={item.note}
              choice={checkbox(item, item.name)}
              tools={<DocumentTools document={item} onDialog={setDialog} />}
            />
          );
        }}
      </KeptPage>
      {picked.length > 0 && (
        <BulkBar
          count={picked.length}
          onMove={() => setDialog({ kind: 'move', items: picked, folderId })}
          onRemove={() => setDialog({ kind: 'remove', items: picked })}
          onClear={() => {
            setChosen(new Set());
            // The bar goes with the press.
            keptHeading()?.focus();
          }}
        />
      )}
      {dialog && <CollectionDialogs dialog={dialog} onClose={() => setDialog(null)} onDone={done} />}
    </>
  );
}

const keyOf = (item: Item) => `${item.item_type}:${item.item_id}`;

function DocumentTools(props: { document: DocumentOf<Item>; onDialog: (dialog: CollectionDialog) => void }) {
  const { document, onDialog } = props;
  return (
    <>
      <Button
        size="small"
        look="plain"
        aria-label={`备注《${document.name}》`}
        onClick={() => onDialog({ kind: 'note', document })}
      >
        备注
      </Button>
      {document.offline === 0 && <ShareButton document={document} page={() => 0} look="row" />}
    </>
  );
}

function NoFolder() {
  return (
    <Empty heading="h1" title="没有这个文件夹" text="它可能已被删除，其中的内容移到了上一级">
      <LinkButton to={myCollectionPath({})}>回到我的收藏</LinkButton>
    </Empty>
  );
}
