import { Menu } from '@mantine/core';
import { Link } from 'react-router';
import { Avatar } from '../../accounts/web/avatar.tsx';
import { useSession } from '../../accounts/web/session.tsx';
import type { Member } from '../../membership/contract.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ChevronDownIcon } from '../../ui/icons.tsx';
import styles from './member-menu.module.css';

/** C-32: a lifetime membership has 36,500 days. */
const LIFETIME_DAYS = 36_000;

/** Badge, nickname and avatar; behind them user id, coins, remaining days and logout (§2). */
export function MemberMenu({ member }: { member: Member }) {
  const { logout } = useSession();
  const isMember = member.vip_last_day > 0;
  return (
    <Menu position="bottom-end" width={280} offset={8} trapFocus={false} withinPortal={false}>
      <Menu.Target>
        <button type="button" className={styles['target']} aria-label={`${member.nickname}，打开账号菜单`}>
          <span className={isMember ? styles['vip'] : styles['plain']}>{isMember ? '方案会员' : '非会员'}</span>
          <span className={styles['name']}>{member.nickname}</span>
          <Avatar name={member.nickname} src={member.avatar} />
          <ChevronDownIcon size={16} />
        </button>
      </Menu.Target>
      <Menu.Dropdown className={styles['dropdown'] ?? ''}>
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
              {member.balance.toLocaleString('en-US')}
              <Link to="/aboutVip" className={styles['more']}>
                充值
              </Link>
            </dd>
          </div>
          <div>
            <dt>剩余天数</dt>
            <dd>
              {daysText(member.vip_last_day)}
              {!isMember && (
                <Link to="/aboutVip" className={styles['more']}>
                  开通会员
                </Link>
              )}
            </dd>
          </div>
        </dl>
        <Menu.Item onClick={logout} className={styles['logout'] ?? ''}>
          退出登录
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function daysText(days: number): string {
  return days > LIFETIME_DAYS ? '终身' : `${days} 天`;
}
