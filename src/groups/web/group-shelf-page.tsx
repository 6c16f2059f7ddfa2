import { useState } from 'react';
import { data, useRevalidator } from 'react-router';
import { call } from '../../accounts/web/call.ts';
import { isSessionOver } from '../../accounts/web/credentials.ts';
import { useSending } from '../../accounts/web/login/use-sending.ts';
import { privateMeta, useSessionCheck } from '../../accounts/web/private-page.tsx';
import { useSession } from '../../accounts/web/session.tsx';
import { callFrom } from '../../page-context.ts';
import { CODE } from '../../protocol/codes.ts';
import { rowId } from '../../protocol/fields.ts';
import { pageNumber } from '../../protocol/paging.ts';
import { Button, LinkButton } from '../../ui/controls/button.tsx';
import { Empty } from '../../ui/feedback/empty.tsx';
import { LoadFailure } from '../../ui/feedback/load-failure.tsx';
import { LazyBoundary, lazyWithRetry } from '../../ui/feedback/lazy-boundary.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { Pager } from '../../ui/navigation/pager.tsx';
import { useIsListPending } from '../../ui/navigation/use-is-list-pending.ts';
import { Cover } from '../../ui/pictures/cover.tsx';
import { momentText, priceText } from '../../ui/text/format-text.ts';
import { listGroupFiles, removeGroupFile, SHELF_PAGE_SIZE, type GroupItem, type ShelfItem } from '../contract.ts';
import { listUploads } from '../contract-uploads.ts';
import type { Route } from './+types/group-shelf-page';
import { GroupLogo, groupPath, GroupSize } from './group-rows.tsx';
import styles from './group-shelf-page.module.css';
import { UploadSection } from './uploads/upload-section.tsx';
import { useJoin } from './use-join.ts';

const LeaveDialog = lazyWithRetry(async () => (await import('./leave-dialog.tsx')).LeaveDialog);

/** Loads a group, a page of its shelf and a page of what members uploaded; null for visitors (C-17) and when it cannot be read. Throws 404 for a group that is not open. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const asked = new URL(request.url).searchParams;
  const pageOf = (name: string) => pageNumber.parse(asked.get(name) ?? 1);
  const gid = rowId.parse(params.id);
  const ask = callFrom(context);
  const [reply, uploads] = await Promise.all([
    ask(listGroupFiles, { gid, page: pageOf('page'), pageSize: SHELF_PAGE_SIZE }).catch(() => null),
    ask(listUploads, { gid, page: pageOf('uploads'), pageSize: SHELF_PAGE_SIZE }).catch(() => null),
  ]);
  if (reply?.code === CODE.notFound) throw data(null, { status: 404 });
  // Code 50 has the group with an empty shelf, for who may join it.
  const isShown = reply?.code === CODE.ok || reply?.code === CODE.notPermitted;
  return {
    shelf: isShown ? (reply.data ?? null) : null,
    // A user who has left the group still finds their own files, to take them back.
    uploads: uploads?.data && (uploads.code === CODE.ok || uploads.data.total > 0) ? uploads.data : null,
    isOver: reply !== null && isSessionOver(reply.code),
  };
}

export function meta({ matches, loaderData }: Route.MetaArgs): Route.MetaDescriptors {
  return privateMeta(matches[0].loaderData, loaderData?.shelf?.group.name ?? '社群');
}

/** Renders /user/group/{id}: the group and the documents on its shelf. */
export default function GroupShelfPage({ loaderData }: Route.ComponentProps) {
  const { member } = useSession();
  const { shelf, uploads, isOver } = loaderData;
  useSessionCheck(isOver);
  const isPending = useIsListPending();
  if (!member) return null;
  if (shelf === null) return <LoadFailure title="暂时无法读取社群" />;
  const { group, files, total } = shelf;
  const uploadsPage = uploads?.page ?? 1;
  const hrefOf = (page: number, onUploads = uploadsPage) => {
    const query = new URLSearchParams({
      ...(page > 1 && { page: String(page) }),
      ...(onUploads > 1 && { uploads: String(onUploads) }),
    }).toString();
    return `${groupPath(group.id)}${query && `?${query}`}`;
  };
  return (
    <section aria-labelledby="group-title" aria-busy={isPending}>
      <GroupHead group={group} />
      {uploads && <UploadSection key={group.id} list={uploads} hrefOf={(page) => hrefOf(shelf.page, page)} />}
      {uploads && group.joined === 1 && <h2 className={styles['part']}>书架上的方案</h2>}
      {group.joined === 0 ? (
        <Empty drawing="lock" title="加入社群后可查看书架">
          <JoinButton group={group} />
        </Empty>
      ) : total === 0 ? (
        <Empty title="书架上还没有方案~" text="在方案页点“添加到社群”，把好方案分享给成员">
          <LinkButton to="/report">去找方案</LinkButton>
        </Empty>
      ) : isPending ? (
        <ShelfSkeleton count={files.length || 3} />
      ) : files.length === 0 ? (
        <Empty title="没有这一页">
          <LinkButton to={hrefOf(1)}>回到第一页</LinkButton>
        </Empty>
      ) : (
        <Shelf group={group} files={files} />
      )}
      <Pager page={shelf.page} pageSize={shelf.page_size} total={total} hrefOf={(page) => hrefOf(page)} label="方案" />
    </section>
  );
}

function GroupHead({ group }: { group: GroupItem }) {
  return (
    <header className={styles['head']}>
      <GroupLogo group={group} />
      <div>
        <h1 id="group-title" className={styles['title']}>
          {group.name}
        </h1>
        <GroupSize group={group} />
      </div>
      {group.joined === 1 && <LeaveButton group={group} />}
    </header>
  );
}

function JoinButton({ group }: { group: GroupItem }) {
  const { revalidate } = useRevalidator();
  const { isJoining, join } = useJoin({ onJoined: revalidate });
  return (
    <Button look="primary" disabled={isJoining} onClick={join(group.id)}>
      加入社群
    </Button>
  );
}

function LeaveButton({ group }: { group: GroupItem }) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button size="small" look="plain" onClick={() => setIsAsking(true)}>
        退出社群
      </Button>
      {isAsking && (
        <LazyBoundary onOpenChange={setIsAsking}>
          <LeaveDialog group={group} onClose={() => setIsAsking(false)} />
        </LazyBoundary>
      )}
    </>
  );
}

function Shelf({ group, files }: { group: GroupItem; files: readonly ShelfItem[] }) {
  const { revalidate } = useRevalidator();
  const { isSending, send } = useSending();
  const remove = (fid: number) =>
    send(async () => {
      const reply = await call(removeGroupFile, { gid: group.id, fid });
      // 4: the document is gone meanwhile, and the list shows it.
      if (reply.code !== CODE.ok && reply.code !== CODE.notFound) return toast.warning(reply.message);
      await revalidate();
      toast.success('已移出社群书架');
    });
  return (
    <ul className={styles['shelf']}>
      {files.map((file) => (
        <li key={file.id} className={styles['file']}>
          <Cover
            className={styles['cover']}
            src={file.share_url}
            srcSet={file.cover_srcset}
            sizes="144px"
            color={file.cover_color}
          />
          <div className={styles['facts']}>
            <h3 className={styles['name']}>
              <a href={`/detail/${file.id}`} target="_blank" rel="noopener">
                <span>{file.name}</span>
              </a>
            </h3>
            <p className={styles['about']}>
              <span>{file.file_type_text}</span>
              {file.page_count > 0 && <span>{file.page_count} 页</span>}
              <span>{file.preview_only === 1 ? '仅供预览' : priceText(file.price)}</span>
            </p>
            <p className={styles['about']}>
              <span>{file.added_by || '站方'} 添加</span>
              <span>{momentText(file.add_time).slice(0, 10)}</span>
            </p>
          </div>
          {file.can_remove === 1 && (
            <Button
              size="small"
              look="plain"
              disabled={isSending}
              aria-label={`移出${file.name}`}
              onClick={remove(file.id)}
            >
              移出
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

function ShelfSkeleton({ count }: { count: number }) {
  return (
    <ul className={styles['shelf']} aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <li key={index} className={styles['file']}>
          <span className={`${styles['cover']} ${styles['blank']}`} />
          <div className={styles['facts']}>
            <span className={styles['blank']} />
          </div>
        </li>
      ))}
    </ul>
  );
}
