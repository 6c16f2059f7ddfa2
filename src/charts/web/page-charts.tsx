import { useState, type ReactNode } from 'react';
import { LazyBoundary, lazyWithRetry } from '../../ui/feedback/lazy-boundary.tsx';
import { ChartIcon } from '../../ui/pictures/tool-icons.tsx';
import type { ChartItem } from '../contract.ts';
import styles from './page-charts.module.css';

/** Loaded on the first press: it asks the server by the contract, whose schemas come with it. */
export const LazyChartDialog = lazyWithRetry(() => import('./chart-dialog.tsx').then((module) => module.ChartDialog));

/** Returns the key by which a chart is opened again after a login or a payment (continue-wanted.ts). */
export const chartKey = (id: number): string => `chart:${id}`;

/** 本页图表 n: opens the charts that stand on a page of the deck; nothing on a page without charts. */
export function PageCharts(props: {
  /** All charts of the deck. */
  charts: ChartItem[];
  page: number;
  /** `line` below a page in the column, `icon` in the viewer's bar. */
  look: 'line' | 'icon';
  /** Further actions on a chart, shown in its dialog. */
  tools?: (chart: ChartItem) => ReactNode;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const here = props.charts.filter(({ page }) => page === props.page);
  if (here.length === 0) return null;
  return (
    <>
      <button
        type="button"
        className={styles[props.look]}
        data-screen
        aria-haspopup="dialog"
        aria-label={`本页图表 ${here.length}`}
        onClick={() => setIsOpen(true)}
      >
        <ChartIcon size={props.look === 'line' ? 18 : 22} />
        <span className={styles['words']}>本页图表</span> {here.length}
      </button>
      {isOpen && (
        <LazyBoundary onOpenChange={setIsOpen}>
          <LazyChartDialog
            key={props.page}
            charts={here}
            first={0}
            {...(props.tools && { tools: props.tools })}
            onClose={() => setIsOpen(false)}
          />
        </LazyBoundary>
      )}
    </>
  );
}
