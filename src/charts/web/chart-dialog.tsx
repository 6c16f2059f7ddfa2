import { useState, type ReactNode } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { Sheet } from '../../ui/feedback/sheet.tsx';
import { ChevronLeftIcon, ChevronRightIcon } from '../../ui/pictures/icons.tsx';
import type { ChartItem } from '../contract.ts';
import styles from './chart-dialog.module.css';
import { ChartPanel } from './chart-panel.tsx';

/**
 * A chart in a dialog, which also opens above the full-screen viewer; its neighbours in `charts` are a press away.
 * `pageHref` returns where a page is shown; left out where that page is in sight. Mounted means open.
 */
export function ChartDialog(props: {
  charts: ChartItem[];
  /** Index of the chart that is shown first. */
  first: number;
  pageHref?: (page: number) => string;
  /** Further actions on the chart. */
  tools?: (chart: ChartItem) => ReactNode;
  onClose: () => void;
}) {
  const { charts, pageHref } = props;
  const [index, setIndex] = useState(props.first);
  const chart = charts[index];
  if (!chart) return null;
  return (
    <Sheet title={chart.name} isWide onClose={props.onClose}>
      <div className={styles['facts']}>
        <p>
          {chart.type.name} · 第 {chart.page} 页
          {pageHref && (
            <a href={pageHref(chart.page)} className={styles['page']} onClick={props.onClose}>
              查看这一页
            </a>
          )}
        </p>
        {props.tools?.(chart)}
        {charts.length > 1 && (
          <div className={styles['turn']}>
            <Button
              size="small"
              look="plain"
              aria-label="上一张图表"
              disabled={index === 0}
              onClick={() => setIndex(index - 1)}
            >
              <ChevronLeftIcon size={18} />
            </Button>
            <span aria-live="polite">
              {index + 1} / {charts.length}
            </span>
            <Button
              size="small"
              look="plain"
              aria-label="下一张图表"
              disabled={index === charts.length - 1}
              onClick={() => setIndex(index + 1)}
            >
              <ChevronRightIcon size={18} />
            </Button>
          </div>
        )}
      </div>
      <ChartPanel key={chart.id} chart={chart} />
    </Sheet>
  );
}
