import type { PriceItem } from '../../../prices/contract.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { yuan } from '../../../ui/text/format-text.ts';
import { lapsedText, termsOf, TIER_NAMES, type Member } from '../../contract.ts';
import { perDay, purchaseVerb, rightsOf } from '../prices/plans.ts';
import { usePurchase, useTakesPayments } from '../prices/purchase.tsx';
import styles from './plan-offers.module.css';
import { TitledSection } from './titled-section.tsx';

/**
 * Returns the memberships that the user centre sells this member (C-30): none of a tier that the member has for life, and none of a lower tier than
 * the member's, which would change nothing. `items` null: the price list could not be read.
 */
export function offeredPlans(items: readonly PriceItem[] | null, member: Member): PriceItem[] {
  const [now] = termsOf(member);
  if (!now) return [...(items ?? [])];
  const lowest = now.isForLife ? now.tier + 1 : now.tier;
  return items?.filter(({ tier }) => tier >= lowest) ?? [];
}

/** The memberships on sale (§2), each with a button that opens the pay dialog with it. */
export function PlanOffers({ offered, member }: { offered: readonly PriceItem[]; member: Member }) {
  const { open } = usePurchase();
  const takesPayments = useTakesPayments();
  const [now] = termsOf(member);
  const isLapsed = lapsedText(member) !== '';
  if (offered.length === 0) return null;
  const title = now?.isForLife
    ? '升级会员'
    : now?.tier === 1
      ? '续费与升级'
      : now || isLapsed
        ? '续费会员'
        : '开通会员';
  return (
    <TitledSection id="plan-offers-title" title={title} href="/aboutVip" link="比较全部套餐">
      <ul className={styles['offers']}>
        {offered.map((item) => {
          const tier = item.tier === 2 ? 2 : 1;
          const name = TIER_NAMES[tier];
          const verb = !takesPayments ? '联系客服开通' : isLapsed ? '续费' : purchaseVerb(item, member);
          return (
            <li key={item.id} className={styles['offer']} data-recommended={tier === 2 || undefined}>
              <h3 className={styles['name']}>
                {name}
                {tier === 2 && <span className={styles['badge']}>推荐</span>}
              </h3>
              <p className={styles['price']}>
                ¥{yuan(item.price)}
                {item.org_price > item.price && (
                  <s>
                    <span className="visually-hidden">原价</span>¥{yuan(item.org_price)}
                  </s>
                )}
                <span className={styles['term']}>{termOf(item)}</span>
              </p>
              <ul className={styles['rights']}>
                {rightsOf(tier).map((right) => (
                  <li key={right}>{right}</li>
                ))}
              </ul>
              <Button
                look={tier === 2 ? 'primary' : 'quiet'}
                aria-label={`${verb}${name}`}
                onClick={() => open({ kind: 'vip', itemId: item.id })}
              >
                {verb}
              </Button>
            </li>
          );
        })}
      </ul>
      <p className={styles['note']}>到期后自动停止，不自动续费。</p>
    </TitledSection>
  );
}

function termOf(item: PriceItem): string {
  const daily = perDay(item);
  return daily ? `${item.days} 天，约 ¥${daily} / 天` : `${item.days} 天`;
}
