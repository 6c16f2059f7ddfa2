import type { WaysOut } from '../../contract-ways-out.ts';
import type { Wanted } from '../../ways-out.ts';
import type { PurchaseWanted } from '../prices/purchase.tsx';
import styles from './ways-out-list.module.css';
import { waysText } from './ways-out-text.ts';

/** Lists the ways out of a refusal, one a line. `onBuy` opens the pay dialog, after which what was wanted continues. */
export function WaysOutList(props: { wanted: Wanted; ways: WaysOut; onBuy: (wanted: PurchaseWanted) => void }) {
  const list = waysText(props.wanted, props.ways);
  if (list.length === 0) return null;
  return (
    <ul className={styles['ways']}>
      {list.map(({ main, note, side, buy }) => {
        const inside = (
          <>
            <span className={styles['main']}>
              {main}
              {note && <span className={styles['note']}>{note}</span>}
            </span>
            {side && <span className={styles['side']}>{side}</span>}
          </>
        );
        return (
          <li key={main}>
            {buy === null ? (
              <span className={styles['way']}>{inside}</span>
            ) : (
              <button type="button" className={styles['way']} onClick={() => props.onBuy(buy)}>
                {inside}
                <span className={styles['arrow']} aria-hidden="true">
                  ›
                </span>
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
