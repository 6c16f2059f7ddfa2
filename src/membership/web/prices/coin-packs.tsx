import type { PriceItem } from '../../../prices/contract.ts';
import { Button } from '../../../ui/controls/button.tsx';
import styles from './coin-packs.module.css';
import { yuan } from '../../../ui/text/format-text.ts';
import { bonusCoins } from './plans.ts';
import { useTakesPayments } from './purchase.tsx';
import { formatNumber } from '../../../protocol/format-number.ts';

/** Renders the coin packs. 去充值 leads to this section, `/aboutVip#coins`. */
export function CoinPacks({ packs, onWant }: { packs: PriceItem[]; onWant: (item: PriceItem) => void }) {
  const verb = useTakesPayments() ? '充值' : '联系客服充值';
  return (
    <section id="coins" className={styles['section']}>
      <h2 className={styles['title']}>喵币充值</h2>
      <p className={styles['lead']}>偶尔下载，用喵币更划算：按方案标价扣除，下载过的方案再次下载不重复扣费。</p>
      {packs.length === 0 ? (
        <p className={styles['none']}>暂无可充值的喵币包，请联系客服。</p>
      ) : (
        <ul className={styles['packs']}>
          {packs.map((pack) => {
            const bonus = bonusCoins(pack, packs);
            const coins = formatNumber(pack.coins);
            return (
              <li key={pack.id} className={styles['pack']}>
                <p className={styles['coins']}>
                  {coins} <span>喵币</span>
                </p>
                <p className={styles['bonus']}>{bonus > 0 ? `多送 ${formatNumber(bonus)} 喵币` : '基础包'}</p>
                <p className={styles['price']}>¥{yuan(pack.price)}</p>
                <Button look="quiet" onClick={() => onWant(pack)} aria-label={`${verb} ${coins} 喵币`}>
                  {verb}
                </Button>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
