import { LinkButton } from '../../ui/button.tsx';
import type { Member } from '../contract.ts';
import { COUPONS_A_DAY, DOWNLOADS_A_MONTH, LIFETIME_DAYS } from '../rules.ts';
import styles from './user-standing.module.css';

/** Membership with its end, the meters of today and of the month, and the coins. */
export function UserStanding({ member }: { member: Member }) {
  const isMember = member.vip_last_day > 0;
  return (
    <section className={styles['standing']} aria-label="会员与余额">
      <div className={styles['vip']} data-member={isMember}>
        <div>
          <p className={styles['name']}>{isMember ? '方案会员' : '非会员'}</p>
          <p className={styles['until']}>{isMember ? untilText(member) : '开通后每天 20 张免费下载券，搜索不限条数'}</p>
        </div>
        {/* 续费 stands beside the nickname already. */}
        {!isMember && (
          <LinkButton to="/aboutVip" look="gold">
            开通会员
          </LinkButton>
        )}
      </div>
      <dl className={styles['meters']}>
        {isMember && (
          <>
            <Meter name="今日下载券" left={member.today_left} of={COUPONS_A_DAY} unit="张" />
            <Meter name="本月免费下载" left={member.month_left} of={DOWNLOADS_A_MONTH[member.is_vip]} unit="份" />
          </>
        )}
        <div className={styles['meter']}>
          <dt>喵币余额</dt>
          <dd>
            <b>{member.balance.toLocaleString('en-US')}</b>
            <LinkButton to="/aboutVip#coins" look="quiet" size="small">
              充值
            </LinkButton>
          </dd>
        </div>
      </dl>
    </section>
  );
}

function Meter(props: { name: string; left: number; of: number; unit: string }) {
  const share = props.of > 0 ? Math.min(props.left / props.of, 1) : 0;
  return (
    <div className={styles['meter']}>
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

function untilText(member: Member): string {
  if (member.vip_last_day > LIFETIME_DAYS) return '终身有效';
  const until = member.is_vip === 1 ? member.unlock_end_time_text : member.advanced_end_time_text;
  return `${until} 到期，剩 ${member.vip_last_day} 天，不自动续费`;
}
