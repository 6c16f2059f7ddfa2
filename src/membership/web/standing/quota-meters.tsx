import type { Member } from '../../contract.ts';
import { metersOf } from './meters.ts';
import styles from './quota-meters.module.css';
import { formatNumber } from '../../../protocol/format-number.ts';

/** Renders the quotas of a member as entries of a `dl`, whose style gives the bars their colours. Nothing for others. */
export function QuotaMeters({ member }: { member: Member }) {
  return metersOf(member).map(({ name, used, limit, unit, note, isUsedUp }) => (
    <div key={name} data-used-up={isUsedUp || undefined}>
      <dt>{name}</dt>
      <dd>
        <span>
          <span className="visually-hidden">已用 </span>
          <b>{formatNumber(used)}</b> / {formatNumber(limit)} {unit}
        </span>
        <span className={styles['bar']} aria-hidden="true">
          <span style={{ transform: `scaleX(${isUsedUp ? 1 : Math.min(used / limit, 1)})` }} />
        </span>
        <span className={styles['note']}>{note}</span>
      </dd>
    </div>
  ));
}
