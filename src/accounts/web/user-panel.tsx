import { daysText, lapsedText, standingText, type Member } from '../../membership/contract.ts';
import { LinkButton } from '../../ui/controls/button.tsx';
import { Clauses } from '../../ui/text/line-breaks.tsx';
import { CopyButton } from '../../ui/feedback/copy-button.tsx';
import { Avatar, MemberBadge } from './avatar.tsx';
import styles from './user-panel.module.css';

/** Renders avatar, nickname, user id, membership and a link to renew it, or to the plans; `hasPlans`: the page beside the panel shows the plans. */
export function UserPanel({ member, hasPlans }: { member: Member; hasPlans: boolean }) {
  const isMember = member.vip_last_day > 0;
  // The page of plans has none of the standard tier (C-31).
  const isStandard = isMember && member.is_vip === 1;
  const isNew = !isMember && lapsedText(member) === '';
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
      {!(hasPlans && (isNew || isStandard)) && (
        <LinkButton to={isStandard ? '/user/index' : '/aboutVip'} look="gold" className={styles['way']}>
          {wayText(member)}
        </LinkButton>
      )}
    </div>
  );
}

/** Returns the name of the link to the plans. */
function wayText(member: Member): string {
  if (daysText(member) === '终身') return member.is_vip === 2 ? '会员权益' : '升级会员';
  if (member.vip_last_day > 0) return '续费';
  return lapsedText(member) ? '续费会员' : '开通会员';
}
