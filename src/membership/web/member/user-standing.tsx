import { Button } from '../../../ui/controls/button.tsx';
import { Clauses } from '../../../ui/text/line-breaks.tsx';
import { daysText, lapsedText, standingText, type Member } from '../../contract.ts';
import { purchaseVerb } from '../prices/plans.ts';
import { usePurchase } from '../prices/purchase.tsx';
import { ORDINARY_RIGHTS } from '../standing/meters.ts';
import { QuotaMeters } from '../standing/quota-meters.tsx';
import styles from './user-standing.module.css';
import { formatNumber } from '../../../protocol/format-number.ts';

/**
 * Renders the membership with its end, the quotas of today and of the month or what an ordinary user has, and the coins, with buttons that buy more in
 * the pay dialog. `hasOffers`: the memberships on sale stand below, so that the button for them is left out.
 */
export function UserStanding({ member, hasOffers }: { member: Member; hasOffers: boolean }) {
  const isMember = member.vip_last_day > 0;
  const isForLife = daysText(member) === '终身';
  const isLapsed = lapsedText(member) !== '';
  const { open } = usePurchase();
  return (
    <section className={styles['standing']} aria-label="会员与余额">
      <div className={styles['vip']} data-member={isMember}>
        <div>
          <p className={styles['name']}>{isMember ? '方案会员' : '非会员'}</p>
          <p className={styles['until']}>
            <Clauses text={isMember ? untilText(member) : offerText(member)} />
          </p>
        </div>
        {!isForLife && !hasOffers && (
          <Button look="gold" onClick={() => open({ kind: 'vip' })}>
            {isLapsed ? '续费' : purchaseVerb({ tier: 2 }, member)}会员
          </Button>
        )}
      </div>
      <dl className={styles['meters']}>
        <QuotaMeters member={member} />
        {!isMember &&
          ORDINARY_RIGHTS.map(({ name, right }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className={styles['right']}>{right}</dd>
            </div>
          ))}
        <div>
          <dt>喵币余额</dt>
          <dd>
            <b>{formatNumber(member.balance)}</b>
            <Button size="small" aria-label="充值喵币" onClick={() => open({ kind: 'coin' })}>
              充值
            </Button>
          </dd>
        </div>
      </dl>
      {isMember && <p className={styles['when']}>下载券每日 0 点、月度额度每月 1 日恢复（北京时间）。</p>}
    </section>
  );
}

function untilText(member: Member): string {
  const standing = standingText(member);
  const days = daysText(member);
  return days === '终身' ? standing : `${standing}，${days}，不自动续费`;
}

function offerText(member: Member): string {
  const lapsed = lapsedText(member);
  return lapsed ? `${lapsed}，已下载的方案仍可再次下载` : '开通后每天 20 张下载券，搜索不限条数';
}
