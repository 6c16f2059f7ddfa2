import { useEffect, useState } from 'react';
import { takeResume } from '../../accounts/web/continue-wanted.ts';
import type { ChartItem } from '../../charts/contract.ts';
import { ChartPicture, ChartSilhouette } from '../../charts/web/chart-silhouette.tsx';
import { chartKey, LazyChartDialog } from '../../charts/web/page-charts.tsx';
import { LazyBoundary } from '../../ui/feedback/lazy-boundary.tsx';
import { LockIcon } from '../../ui/pictures/tool-icons.tsx';
import { chartFavorite } from './detail-favorite.tsx';
import styles from './charts.module.css';
import { pageHash } from './pages/use-wanted-page.ts';

/**
 * The charts of a deck in one row that scrolls. A press opens the chart with its numbers. The page number below leads to
 * the page that shows it, or, for readers who may not see that page, to the end of the preview, which says how to see it.
 */
export function Charts(props: {
  charts: ChartItem[];
  previews: number;
  /** Number of pages that this reader may see. */
  readable: number;
  isOffered: boolean;
}) {
  const { charts, previews } = props;
  const [open, setOpen] = useState<number | null>(null);
  useEffect(() => {
    // The chart that the reader left for a login or a payment; only members have charts here.
    const wanted = charts.findIndex(({ id }) => takeResume(chartKey(id)));
    if (wanted >= 0) setOpen(wanted);
  }, [charts]);
  if (charts.length === 0) return null;
  return (
    <section className={styles['charts']} data-screen aria-labelledby="charts">
      <h2 id="charts" className={styles['title']}>
        图表 <span className={styles['count']}>{charts.length}</span>
      </h2>
      {/* It scrolls by itself, so the keyboard must reach it. */}
      <ul className={styles['row']} tabIndex={0} aria-label="本方案的图表">
        {charts.map((chart, index) => (
          <li key={chart.id} className={styles['item']}>
            <button type="button" className={styles['card']} aria-haspopup="dialog" onClick={() => setOpen(index)}>
              <Chart
                chart={chart}
                isLocked={previews === 0 || chart.page > props.readable}
                isOffered={props.isOffered}
              />
            </button>
            <p className={styles['facts']}>
              {chart.type.name} ·{' '}
              {previews > 0 ? <a href={pageHash(chart.page)}>第 {chart.page} 页</a> : `第 ${chart.page} 页`}
            </p>
          </li>
        ))}
      </ul>
      {open !== null && (
        <LazyBoundary onOpenChange={(isOpen) => setOpen(isOpen ? open : null)}>
          <LazyChartDialog
            charts={charts}
            first={open}
            tools={chartFavorite}
            {...(previews > 0 && { pageHref: pageHash })}
            onClose={() => setOpen(null)}
          />
        </LazyBoundary>
      )}
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
          <ChartPicture chart={chart} />
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
    </>
  );
}
