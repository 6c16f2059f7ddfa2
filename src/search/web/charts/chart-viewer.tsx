import type { KeyboardEvent } from 'react';
import { ChartPanel } from '../../../charts/web/chart-panel.tsx';
import { Turn } from '../../../charts/web/turn.tsx';
import { FavoriteButton } from '../../../shelf/web/favorite-button.tsx';
import { Sheet } from '../../../ui/feedback/sheet.tsx';
import { plainName } from '../../../ui/text/highlight.tsx';
import type { FoundChart } from '../../contract-charts.ts';
import { chartPosition } from './chart-card.tsx';
import styles from './chart-viewer.module.css';

/**
 * A chart of the results in a dialog: picture, numbers and files as far as the reader may, what it is, where it comes from, and its neighbours
 * among all results. Left and right arrow turn as well. Mounted means open.
 */
export function ChartViewer(props: {
  chart: FoundChart;
  /** Its place among the results, from 1, and how many of them this reader may see. */
  position: number;
  total: number;
  /** The neighbour is on another page, which is loading. */
  isLoading: boolean;
  /** Turns to the chart before or after this one, also over the border of a page. */
  onTurn: (by: -1 | 1) => void;
  onClose: () => void;
}) {
  const { position, total, isLoading } = props;
  const name = plainName(props.chart.name);
  const chart = { ...props.chart, name };
  const isOn = (by: -1 | 1) => !isLoading && position + by >= 1 && position + by <= total;
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    // A table that scrolls sideways keeps its arrow keys.
    const isInTable = event.target instanceof Element && event.target.closest('[tabindex="0"]') !== null;
    if (by === 0 || isInTable || !isOn(by)) return;
    event.preventDefault();
    props.onTurn(by);
  };
  return (
    <Sheet title={name} isWide isSteady onKeyDown={onKeyDown} onClose={props.onClose}>
      <div className={styles['viewer']} aria-busy={isLoading}>
        <div className={styles['tools']}>
          <FavoriteButton key={chart.id} target={{ type: 4, id: chart.id }} name={name} look="tool" />
          <Turn
            position={position}
            total={total}
            onBack={isOn(-1) ? () => props.onTurn(-1) : null}
            onNext={isOn(1) ? () => props.onTurn(1) : null}
          />
        </div>
        <Facts chart={chart} />
        <ChartPanel key={chart.id} chart={chart} />
      </div>
    </Sheet>
  );
}

function Facts({ chart }: { chart: FoundChart }) {
  return (
    <dl className={styles['facts']}>
      <Fact name="类型" value={chart.type.name} />
      <Fact name="行业" value={chart.industry.name || '—'} />
      <Fact name="方案编号" value={String(chart.fid)} />
      <Fact name="发布时间" value={chart.time_text} />
      <div>
        <dt>来源方案</dt>
        <dd>
          <a href={`/detail/${chart.fid}`} target="_blank" rel="noopener">
            {chart.file.name}
          </a>
        </dd>
      </div>
      <div>
        <dt>原文位置</dt>
        <dd>
          <a href={chartPosition(chart)} target="_blank" rel="noopener">
            第 {chart.page} 页
          </a>
        </dd>
      </div>
    </dl>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
