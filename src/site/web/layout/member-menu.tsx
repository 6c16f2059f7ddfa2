import type { RefObject } from 'react';
import { Link } from 'react-router';
import { Avatar } from '../../../accounts/web/avatar.tsx';
import { useSession } from '../../../accounts/web/session.tsx';
import { daysText, type Member } from '../../../membership/contract.ts';
import { usePurchase } from '../../../membership/web/prices/purchase.tsx';
import { CopyButton } from '../../../ui/feedback/copy-button.tsx';
import { Sheet } from '../../../ui/feedback/sheet.tsx';
import styles from './member-menu.module.css';
import { formatNumber } from '../../../protocol/format-number.ts';

/** The member's menu under the button in the header: user id, coins, remaining days, the member's pages and logout (§2). Mounted means open. */
export function MemberMenu(props: { member: Member; anchor: RefObject<HTMLElement | null>; onClose: () => void }) {
  const { member, onClose: close } = props;
  const { logout } = useSession();
  const { open } = usePurchase();
  const buy = (kind: 'vip' | 'coin') => {
    close();
    open({ kind });
  };
  const isMember = member.vip_last_day > 0;
  return (
    // Not an ARIA menu: the panel holds facts, links and a button, all of which Tab must reach.
    <Sheet title="账号" isMenu anchor={props.anchor} onClose={close}>
      <div className={styles['who']}>
        <Avatar name={member.nickname} src={member.avatar} size={40} />
        <div className={styles['names']}>
          <p className={styles['nickname']}>{member.nickname}</p>
          <p className={styles['id']}>
            用户ID {member.user_id}
            <CopyButton value={String(member.user_id)} label="复制用户ID" />
          </p>
        </div>
      </div>
      <dl className={styles['facts']}>
        <div>
          <dt>喵币余额</dt>
          <dd>
            {formatNumber(member.balance)}
            <button type="button" onClick={() => buy('coin')} className={styles['more']}>
              充值
            </button>
          </dd>
        </div>
        <div>
          <dt>剩余天数</dt>
          <dd>
            {isMember ? daysText(member).replace(/^共?剩 /, '') : '0 天'}
            {!isMember && (
              <button type="button" onClick={() => buy('vip')} className={styles['more']}>
                开通
              </button>
            )}
          </dd>
        </div>
      </dl>
      <nav className={styles['pages']} aria-label="我的">
        <Link to="/user/index" onClick={close}>
          我的会员
        </Link>
        <Link to="/user/order" onClick={close}>
          我的订单
        </Link>
        <Link to="/myCollection" onClick={close}>
          我的收藏
        </Link>
        <Link to="/myRecord" onClick={close}>
          我的阅读
        </Link>
        <Link to="/myDownload" onClick={close}>
          我的下载
        </Link>
        <Link to="/user/userinfo" onClick={close}>
          个人信息
        </Link>
      </nav>
      <button
        type="button"
        className={styles['logout']}
        onClick={() => {
          close();
          logout();
        }}
      >
        退出登录
      </button>
    </Sheet>
  );
}
