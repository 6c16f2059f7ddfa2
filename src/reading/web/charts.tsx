import type { ChartItem } from '../../charts/contract.ts';
import { LockIcon } from '../../ui/icons.tsx';
import { ChartSilhouette } from './chart-silhouette.tsx';
import styles from './charts.module.css';
import { pageHash } from './preview/use-wanted-page.ts';

/**
 * The charts of a deck in one row that scrolls. A press goes to the page that shows the chart, or to the end of the
 * preview, which says how to see the pages behind it.
 */
export function Charts(props: { charts: ChartItem[]; previews: number; isOffered: boolean }) {
  const { charts, previews } = props;
  if (charts.length === 0) return null;
  return (
    <section className={styles['charts']} aria-labelledby="charts">
      <h2 id="charts" className={styles['title']}>
        图表 <span className={styles['count']}>{charts.length}</span>
      </h2>
      {/* It scrolls by itself, so the keyboard must reach it. */}
      <ul className={styles['row']} tabIndex={0} aria-label="本方案的图表">
        {charts.map((chart) => (
          <li key={chart.id} className={styles['item']}>
            {previews > 0 ? (
              <a href={pageHash(chart.page)} className={styles['card']}>
                <Chart chart={chart} isLocked={chart.page > previews} isOffered={props.isOffered} />
              </a>
            ) : (
              <div className={styles['card']}>
                <Chart chart={chart} isLocked isOffered={props.isOffered} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Chart(props: { chart: ChartItem; isLocked: boolean; isOffered: boolean }) {
  const { chart, isLocked } = props;
  const hasPicture = chart.online_url !== '';
  const elsewhere = props.isOffered ? '下载后可看' : '不在预览之内';
  return (
    <>
      <span className={hasPicture ? styles['frame'] : `${styles['frame']} ${styles['empty']}`}>
        {hasPicture ? (
          <img
            src={chart.online_url}
            alt=""
            width={chart.width}
            height={chart.height}
            loading="lazy"
            decoding="async"
          />
        ) : (
          <>
            <ChartSilhouette typeId={chart.type.id} />
            <span className={styles['none']}>
              {isLocked && <LockIcon size={14} />}第 {chart.page} 页{isLocked && `，${elsewhere}`}
            </span>
          </>
        )}
      </span>
      <span className={styles['name']}>{chart.name}</span>
      <span className={styles['facts']}>
        {chart.type.name} · 第 {chart.page} 页
      </span>
    </>
  );
}
