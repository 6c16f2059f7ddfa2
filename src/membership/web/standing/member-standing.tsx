import { Clauses } from '../../../ui/text/line-breaks.tsx';
import { daysText, standingText, type Member } from '../../contract.ts';
import styles from './member-standing.module.css';
import { QuotaMeters } from './quota-meters.tsx';
import { formatNumber } from '../../../protocol/format-number.ts';

/** Renders the membership and the quotas of a member with the coins; of other users the coins. */
export function MemberStanding({ member }: { member: Member }) {
  const isMember = member.vip_last_day > 0;
  return (
    <section className={styles['standing']} aria-label="我的会员">
      <p className={styles['who']}>
        <span className={styles['nickname']} title={member.nickname}>
          {member.nickname}
        </span>
        <span className={styles['until']}>{isMember ? daysText(member) : '非会员'}</span>
      </p>
      {isMember && (
        <p className={styles['terms']}>
          <Clauses text={standingText(member)} />
        </p>
      )}
      <dl className={styles['meters']}>
        <QuotaMeters member={member} />
        <div>
          <dt>喵币余额</dt>
          <dd>
            <b>{formatNumber(member.balance)}</b>
          </dd>
        </div>
      </dl>
    </section>
  );
}
