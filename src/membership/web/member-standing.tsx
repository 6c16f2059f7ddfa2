import { lastDayOf, type Member } from '../contract.ts';
import { DownloadMeters } from './download-meters.tsx';
import styles from './member-standing.module.css';

/** What is left to a member today, or the coins of someone who is none yet. */
export function MemberStanding({ member }: { member: Member }) {
  const isMember = member.vip_last_day > 0;
  const lastDay = lastDayOf(member);
  const untilText = lastDay === null ? '终身有效' : `${lastDay} 到期，剩 ${member.vip_last_day} 天`;
  return (
    <section className={styles['standing']} aria-label="我的会员">
      <p className={styles['who']}>
        <span className={styles['nickname']} title={member.nickname}>
          {member.nickname}
        </span>
        <span className={styles['until']}>{isMember ? untilText : '非会员'}</span>
      </p>
      <dl className={styles['meters']}>
        {isMember && <DownloadMeters member={member} />}
        <div>
          <dt>喵币余额</dt>
          <dd>
            <b>{member.balance.toLocaleString('en-US')}</b>
          </dd>
        </div>
      </dl>
    </section>
  );
}
