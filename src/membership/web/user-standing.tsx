import { LinkButton } from '../../ui/button.tsx';
import { Clauses } from '../../ui/clauses.tsx';
import { daysText, standingText, type Member } from '../contract.ts';
import { DownloadMeters } from './download-meters.tsx';
import styles from './user-standing.module.css';

/** Renders the membership with its end, the meters of today and of the month, and the coins. */
export function UserStanding({ member }: { member: Member }) {
  const isMember = member.vip_last_day > 0;
  return (
    <section className={styles['standing']} aria-label="会员与余额">
      <div className={styles['vip']} data-member={isMember}>
        <div>
          <p className={styles['name']}>{isMember ? '方案会员' : '非会员'}</p>
          <p className={styles['until']}>
            <Clauses text={isMember ? untilText(member) : '开通后每天 20 张下载券，搜索不限条数'} />
          </p>
        </div>
        {/* 续费 stands beside the nickname already. */}
        {!isMember && (
          <LinkButton to="/aboutVip" look="gold">
            开通会员
          </LinkButton>
        )}
      </div>
      <dl className={styles['meters']}>
        {isMember && <DownloadMeters member={member} />}
        <div>
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

function untilText(member: Member): string {
  const standing = standingText(member);
  const days = daysText(member);
  return days === '终身' ? standing : `${standing}，${days}，不自动续费`;
}
