import { UserCentreTitle } from '../../accounts/web/user-centre-title.tsx';
import { useRevalidator } from 'react-router';
import { isSessionOver } from '../../accounts/web/credentials.ts';
import { privateMeta, useSessionCheck } from '../../accounts/web/private-page.tsx';
import { useSession } from '../../accounts/web/session.tsx';
import { callFrom } from '../../page-context.ts';
import { CODE } from '../../protocol/codes.ts';
import type { Answer } from '../../protocol/endpoint.ts';
import { pageNumber } from '../../protocol/paging.ts';
import { Button, LinkButton } from '../../ui/controls/button.tsx';
import { Empty, EmptySection } from '../../ui/feedback/empty.tsx';
import { LoadFailure } from '../../ui/feedback/load-failure.tsx';
import { Pager } from '../../ui/navigation/pager.tsx';
import { useIsListPending } from '../../ui/navigation/use-is-list-pending.ts';
import { GROUP_PAGE_SIZE, listGroups, listMyGroups } from '../contract.ts';
import type { Route } from './+types/group-list-page';
import styles from './group-list-page.module.css';
import { groupPath, GroupRows, GroupRowsSkeleton, JoinedTag } from './group-rows.tsx';
import { useJoin } from './use-join.ts';

const MAX_MINE = 50;

const hrefOf = (page: number) => (page === 1 ? '/user/group' : `/user/group?page=${page}`);

/** Loads the member's groups and a page of all groups; null for visitors (C-17) and when they cannot be read. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const call = callFrom(context);
  const page = pageNumber.parse(new URL(request.url).searchParams.get('page') ?? 1);
  const [mine, all] = await Promise.all([
    call(listMyGroups, { pageSize: MAX_MINE }).catch(() => null),
    call(listGroups, { page }).catch(() => null),
  ]);
  return {
    mine: mine?.code === CODE.ok ? mine.data : null,
    all: all?.code === CODE.ok ? all.data : null,
    isOver: all !== null && isSessionOver(all.code),
  };
}

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return privateMeta(matches[0].loaderData, '我的社群');
}

/** Renders /user/group: the groups that the member joined, and all groups to join. */
export default function GroupListPage({ loaderData }: Route.ComponentProps) {
  const { member } = useSession();
  const { mine, all, isOver } = loaderData;
  useSessionCheck(isOver);
  const { state } = useRevalidator();
  const isPending = useIsListPending();
  if (!member) return null;
  const isWaiting = isPending || (all === null && state === 'loading');
  return (
    <section aria-labelledby="groups-title" aria-busy={isWaiting}>
      <UserCentreTitle id="groups-title">我的社群</UserCentreTitle>
      {mine === null || all === null ? (
        isWaiting ? (
          <GroupRowsSkeleton count={GROUP_PAGE_SIZE} />
        ) : (
          <LoadFailure title="暂时无法读取社群" />
        )
      ) : (
        <>
          {mine.groups.length > 0 ? (
            <GroupRows
              groups={mine.groups}
              action={({ id }) => (
                <LinkButton to={groupPath(id)} size="small">
                  看书架
                </LinkButton>
              )}
            />
          ) : (
            <EmptySection text="您还没有加入任何社群~" />
          )}
          <h2 className={styles['subtitle']}>全部社群</h2>
          {isPending ? <GroupRowsSkeleton count={all.group_list.length || GROUP_PAGE_SIZE} /> : <AllGroups all={all} />}
          <Pager page={all.page} pageSize={all.page_size} total={all.total} hrefOf={hrefOf} label="社群" />
        </>
      )}
    </section>
  );
}

function AllGroups({ all }: { all: Answer<typeof listGroups> }) {
  const { revalidate } = useRevalidator();
  const { isJoining, join } = useJoin({ onJoined: revalidate });
  if (all.total === 0) return <EmptySection text="还没有社群，敬请期待" />;
  if (all.group_list.length === 0)
    return (
      <Empty title="没有这一页">
        <LinkButton to={hrefOf(1)}>回到第一页</LinkButton>
      </Empty>
    );
  return (
    <GroupRows
      groups={all.group_list}
      action={({ id, name, joined }) =>
        joined === 1 ? (
          <JoinedTag />
        ) : (
          <Button size="small" disabled={isJoining} aria-label={`加入${name}`} onClick={join(id)}>
            加入
          </Button>
        )
      }
    />
  );
}
