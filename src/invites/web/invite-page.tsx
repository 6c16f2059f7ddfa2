import { UserCentreTitle } from '../../accounts/web/user-centre-title.tsx';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { Avatar } from '../../accounts/web/avatar.tsx';
import { isSessionOver } from '../../accounts/web/credentials.ts';
import { privateMeta, useSessionCheck } from '../../accounts/web/private-page.tsx';
import { useSession } from '../../accounts/web/session.tsx';
import { callFrom } from '../../page-context.ts';
import { CODE } from '../../protocol/codes.ts';
import { formatNumber } from '../../protocol/format-number.ts';
import { pageNumber } from '../../protocol/paging.ts';
import { useRootData } from '../../root-data.ts';
import { Button, LinkButton } from '../../ui/controls/button.tsx';
import { copyText } from '../../ui/feedback/copy-button.tsx';
import { Empty, EmptySection } from '../../ui/feedback/empty.tsx';
import { LoadFailure } from '../../ui/feedback/load-failure.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { Pager } from '../../ui/navigation/pager.tsx';
import { useIsListPending } from '../../ui/navigation/use-is-list-pending.ts';
import { CopyIcon, DownloadIcon } from '../../ui/pictures/tool-icons.tsx';
import { QrFigure } from '../../ui/pictures/qr-figure.tsx';
import { momentText } from '../../ui/text/format-text.ts';
import { INVITE_POSTER_PATH, invitePath } from '../addresses.ts';
import { listInvites, type InviteItem } from '../contract.ts';
import { MAX_REWARDS, MAX_REWARDS_FROM_ADDRESS } from '../rules.ts';
import type { Route } from './+types/invite-page';
import styles from './invite-page.module.css';

const hrefOf = (page: number) => (page === 1 ? '/user/invite' : `/user/invite?page=${page}`);

/** Loads a page of the member's invitees; null for visitors (C-17) and when they cannot be read. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const page = pageNumber.parse(new URL(request.url).searchParams.get('page') ?? 1);
  const reply = await callFrom(context)(listInvites, { page }).catch(() => null);
  return {
    invites: reply?.code === CODE.ok ? reply.data : null,
    isOver: reply !== null && isSessionOver(reply.code),
  };
}

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return privateMeta(matches[0].loaderData, '邀请好友');
}

/** Renders /user/invite (§2): the member's link, QR code and poster, and who registered by them. */
export default function InvitePage({ loaderData }: Route.ComponentProps) {
  const { member } = useSession();
  const { invites, isOver } = loaderData;
  useSessionCheck(isOver);
  const { state } = useRevalidator();
  const isPending = useIsListPending();
  if (!member) return null;
  const isWaiting = isPending || (invites === null && state === 'loading');
  return (
    <section aria-labelledby="invite-title">
      <UserCentreTitle id="invite-title">邀请好友</UserCentreTitle>
      <Ways uid={member.user_id} rewardCoins={invites?.reward_coins ?? 0} />
      <section aria-labelledby="invitees-title" aria-busy={isWaiting}>
        <h2 id="invitees-title" className={styles['subtitle']}>
          我邀请的好友
          {invites !== null && (invites.total > 0 || invites.earned_coins > 0) && (
            <small>
              共 {formatNumber(invites.total)} 位
              {invites.earned_coins > 0 && `，得 ${formatNumber(invites.earned_coins)} 喵币`}
            </small>
          )}
        </h2>
        {isWaiting ? (
          <InviteesSkeleton count={invites?.invite_users.length || 3} />
        ) : invites === null ? (
          <LoadFailure title="暂时无法读取好友列表" />
        ) : invites.total === 0 ? (
          <EmptySection text="您还没有邀请过任何用户~" />
        ) : invites.invite_users.length === 0 ? (
          <Empty title="没有这一页">
            <LinkButton to={hrefOf(1)}>回到第一页</LinkButton>
          </Empty>
        ) : (
          <Invitees invitees={invites.invite_users} />
        )}
        {invites && (
          <Pager page={invites.page} pageSize={invites.page_size} total={invites.total} hrefOf={hrefOf} label="好友" />
        )}
      </section>
    </section>
  );
}

/** The link, its QR code and the poster that the server draws. */
function Ways({ uid, rewardCoins }: { uid: number; rewardCoins: number }) {
  const root = useRootData();
  const [isPosterFailed, setIsPosterFailed] = useState(false);
  const link = (root?.origin ?? '') + invitePath(uid);
  const poster = `${INVITE_POSTER_PATH}?uid=${uid}`;
  const copy = async (button: HTMLElement) => {
    const isCopied = await copyText(link, button.parentElement ?? undefined);
    if (isCopied) toast.success('已复制，去粘贴吧');
    else toast.warning('复制失败，请手动选择复制');
  };
  return (
    <div className={styles['ways']}>
      <div className={styles['words']}>
        <p>
          好友通过您的链接注册后，会出现在下面的列表中
          {rewardCoins > 0 && (
            <>
              ；好友绑定手机后，您得 <b>{formatNumber(rewardCoins)} 喵币</b>
            </>
          )}
          。分享方案的链接也算。
        </p>
        <label className={styles['link']}>
          <span>我的邀请链接</span>
          <input readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
        </label>
        <div className={styles['buttons']}>
          <Button look="primary" onClick={(event) => void copy(event.currentTarget)}>
            <CopyIcon size={18} />
            复制链接
          </Button>
          <a className={styles['save']} href={poster} download="邀请海报.jpg">
            <DownloadIcon size={18} />
            保存海报
          </a>
        </div>
        <p className={styles['note']}>
          好友打开链接后 30 天内注册有效，每位好友只计一次；同一浏览器里的第二个账号不计。
          {rewardCoins > 0 &&
            `24 小时内至多奖励 ${MAX_REWARDS} 位，其中同一网络注册的至多 ${MAX_REWARDS_FROM_ADDRESS} 位，同一手机号只奖励一次；超出的不补发。`}
        </p>
      </div>
      <div className={styles['scan']}>
        <QrFigure text={link} label="我的邀请二维码">
          扫码打开邀请链接
        </QrFigure>
      </div>
      {!isPosterFailed && (
        <img
          className={styles['poster']}
          src={poster}
          alt="邀请海报"
          width={1080}
          height={931}
          loading="lazy"
          onError={() => setIsPosterFailed(true)}
        />
      )}
    </div>
  );
}

/** The moment of a registration; 刚刚 for 0 (C-89). */
const timeText = (seconds: number): string => (seconds === 0 ? '刚刚' : momentText(seconds));

function Invitees({ invitees }: { invitees: readonly InviteItem[] }) {
  return (
    <table className={styles['table']}>
      <caption className="visually-hidden">我邀请的好友</caption>
      <thead>
        <tr>
          <th scope="col">好友</th>
          <th scope="col">用户 ID</th>
          <th scope="col">邀请时间</th>
        </tr>
      </thead>
      <tbody>
        {invitees.map((invitee) => (
          <tr key={invitee.id}>
            <td>
              <span className={styles['person']}>
                <Avatar name={invitee.nickname} src={invitee.avatar} />
                <span>{invitee.nickname}</span>
                {invitee.coins > 0 && <span className={styles['coins']}>+{formatNumber(invitee.coins)} 喵币</span>}
                {invitee.is_unrewarded === 1 && <span className={styles['unrewarded']}>不计奖励</span>}
              </span>
            </td>
            <td>{invitee.id}</td>
            <td className={styles['time']}>{timeText(invitee.create_time)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function InviteesSkeleton({ count }: { count: number }) {
  return (
    <div aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <span key={index} className={styles['blank']} />
      ))}
    </div>
  );
}
