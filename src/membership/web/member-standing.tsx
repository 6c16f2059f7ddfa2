import { COUPONS_A_DAY, DOWNLOADS_A_MONTH, LIFETIME_DAYS } from '../rules.ts';
import type { Member } from '../contract.ts';
import styles from './member-standing.module.css';

/** What is left to a member today, or the coins of someone who is none yet. */
export function MemberStanding({ member }: { member: Member }) {
  const isMember = member.vip_last_day > 0;
  const until = member.is_vip === 1 ? member.unlock_end_time_text : member.advanced_end_time_text;
  const untilText = member.vip_last_day > LIFETIME_DAYS ? '终身有效' : `${until} 到期，剩 ${member.vip_last_day} 天`;
  return (
    <section className={styles['standing']} aria-label="我的会员">
      <p className={styles['who']}>
        <span className={styles['nickname']} title={member.nickname}>
          {member.nickname}
        </span>
        <span className={styles['until']}>{isMember ? untilText : '非会员'}</span>
      </p>
      <dl className={styles['meters']}>
        {isMember && (
          <>
            <Meter name="今日下载券" left={member.today_left} of={COUPONS_A_DAY} unit="张" />
            <Meter name="本月免费下载" left={member.month_left} of={DOWNLOADS_A_MONTH[member.is_vip]} unit="份" />
          </>
        )}
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

function Meter(props: { name: string; left: number; of: number; unit: string }) {
  const share = props.of > 0 ? Math.min(props.left / props.of, 1) : 0;
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>
        <span>
          剩 <b>{props.left}</b> / {props.of} {props.unit}
        </span>
        <span className={styles['bar']} aria-hidden="true">
          <span style={{ transform: `scaleX(${share})` }} />
        </span>
      </dd>
    </div>
  );
}
