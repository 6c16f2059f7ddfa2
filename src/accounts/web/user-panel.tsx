import type { Member } from '../../membership/contract.ts';
import { LinkButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Avatar } from './avatar.tsx';
import styles from './user-panel.module.css';

/** C-32: a lifetime membership has 36,500 days. */
const LIFETIME_DAYS = 36_000;

/** Avatar, nickname, user id, membership and the way to more of it. */
export function UserPanel({ member }: { member: Member }) {
  const isMember = member.vip_last_day > 0;
  return (
    <div className={styles['panel']}>
      <Avatar name={member.nickname} src={member.avatar} size={64} />
      <div className={styles['who']}>
        <p className={styles['name']}>{member.nickname}</p>
        <p className={styles['id']}>
          用户ID {member.user_id}
          <CopyButton value={String(member.user_id)} label="复制用户ID" />
        </p>
      </div>
      <div className={styles['vip']}>
        <span className={isMember ? styles['gold'] : styles['plain']}>{isMember ? '方案会员' : '非会员'}</span>
        {isMember && <span className={styles['until']}>{untilText(member)}</span>}
      </div>
      <LinkButton to="/aboutVip" look="gold" className={styles['way']}>
        {isMember ? '续费' : '开通会员'}
      </LinkButton>
    </div>
  );
}

/** `2027-03-01 到期`, by the clock that counts (C-107). */
function untilText(member: Member): string {
  if (member.vip_last_day > LIFETIME_DAYS) return '终身有效';
  return `${member.is_vip === 1 ? member.unlock_end_time_text : member.advanced_end_time_text} 到期`;
}
