import type { Member } from '../contract.ts';
import { COUPONS_A_DAY, DOWNLOADS_A_MONTH } from '../rules.ts';
import styles from './download-meters.module.css';

/** Renders what is left to a member today and this month: two entries of a `dl`, which gives the bars their colours. */
export function DownloadMeters({ member }: { member: Member }) {
  return (
    <>
      <Meter name="今日下载券" left={member.today_left} of={COUPONS_A_DAY} unit="张" />
      <Meter name="本月免费下载" left={member.month_left} of={DOWNLOADS_A_MONTH[member.is_vip]} unit="份" />
    </>
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
