import { useState, type ReactNode } from 'react';
import { Sheet } from '../../ui/feedback/sheet.tsx';
import type { ChartItem } from '../contract.ts';
import styles from './chart-dialog.module.css';
import { ChartPanel } from './chart-panel.tsx';
import { Turn } from './turn.tsx';

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
          <Turn
            position={index + 1}
            total={charts.length}
            onBack={index > 0 ? () => setIndex(index - 1) : null}
            onNext={index < charts.length - 1 ? () => setIndex(index + 1) : null}
          />
        )}
      </div>
      <ChartPanel key={chart.id} chart={chart} />
    </Sheet>
  );
}
