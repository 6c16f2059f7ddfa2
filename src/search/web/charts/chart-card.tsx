import { ChartPicture } from '../../../charts/web/chart-silhouette.tsx';
import { Highlighted, plainName } from '../../../ui/text/highlight.tsx';
import type { FoundChart } from '../../contract-charts.ts';
import styles from './chart-card.module.css';

/** Returns the address of the page of the document that shows a chart. */
export const chartPosition = ({ fid, page }: Pick<FoundChart, 'fid' | 'page'>): string => `/detail/${fid}#p=${page}`;

/** A chart in the grid of /chart: a press opens it in the viewer; below, what it is, and the page it stands on. */
export function ChartCard(props: { chart: FoundChart; isPriority: boolean; onOpen: () => void }) {
  const { chart } = props;
  const facts = [chart.type.name, chart.industry.name, `方案 ${chart.fid}`].filter(Boolean);
  return (
    <li className={styles['card']}>
      <button type="button" className={styles['open']} aria-haspopup="dialog" onClick={props.onOpen}>
        <span className={styles['frame']}>
          <ChartPicture chart={chart} isPriority={props.isPriority} />
        </span>
        <span className={styles['name']} title={plainName(chart.name)}>
          <Highlighted markup={chart.name} />
        </span>
      </button>
      <p className={styles['facts']}>{facts.join(' | ')}</p>
      <p className={styles['source']}>
        <span className={styles['file']} title={chart.file.name}>
          {chart.file.name}
        </span>
      </p>
      <p className={styles['facts']}>
        <time dateTime={chart.time_text}>{chart.time_text}</time>
        <a
          className={styles['position']}
          href={chartPosition(chart)}
          target="_blank"
          rel="noopener"
          aria-label={`原文位置 · 第 ${chart.page} 页：${chart.file.name}`}
        >
          原文位置 · 第 {chart.page} 页
        </a>
      </p>
      {chart.missing.length > 0 && <p className={styles['missing']}>缺：{chart.missing.join('、')}</p>}
    </li>
  );
}
