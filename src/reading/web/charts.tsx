import type { ChartItem } from '../../charts/contract.ts';
import styles from './charts.module.css';
import { pageHash } from './use-wanted-page.ts';

/** The charts of a deck in one row that scrolls; a press goes to the page where that page can be seen. */
export function Charts(props: { charts: ChartItem[]; previews: number; isOffered: boolean }) {
  const { charts, previews } = props;
  const elsewhere = props.isOffered ? '下载后可看' : '不在预览之内';
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
            {chart.page <= previews ? (
              <a href={pageHash(chart.page)} className={styles['card']}>
                <Chart chart={chart} none={`见第 ${chart.page} 页`} />
              </a>
            ) : (
              <div className={styles['card']}>
                <Chart chart={chart} none={elsewhere} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** `none` stands where there is no picture. */
function Chart({ chart, none }: { chart: ChartItem; none: string }) {
  return (
    <>
      <span className={styles['frame']}>
        {chart.online_url ? (
          <img
            src={chart.online_url}
            alt=""
            width={chart.width}
            height={chart.height}
            loading="lazy"
            decoding="async"
          />
        ) : (
          <span className={styles['none']}>{none}</span>
        )}
      </span>
      <span className={styles['name']}>{chart.name}</span>
      <span className={styles['facts']}>
        {chart.type.name} · 第 {chart.page} 页
      </span>
    </>
  );
}
