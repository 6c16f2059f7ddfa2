import { standingText, type Member } from '../../membership/contract.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Clauses } from '../../ui/clauses.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Avatar, MemberBadge } from './avatar.tsx';
import styles from './user-panel.module.css';

/** Renders avatar, nickname, user id, membership and a link to renew it. */
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
        <MemberBadge member={member} />
        {isMember && (
          <span className={styles['until']}>
            <Clauses text={standingText(member)} />
          </span>
        )}
      </div>
      <LinkButton to="/aboutVip" look="gold" className={styles['way']}>
        {isMember ? '续费' : '开通会员'}
      </LinkButton>
    </div>
  );
}
