import type { ReactNode } from 'react';
import { ChartPicture } from '../../../charts/web/chart-silhouette.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import type { FavoriteChart } from '../../contract.ts';
import { FavoriteButton } from '../favorite-button.tsx';
import styles from './chart-item.module.css';

/**
 * A chart as a card, which links to the page of the document that shows the chart. A chart that left the library cannot be kept again:
 * `onRemove` asks first.
 */
export function ChartItem(props: { chart: FavoriteChart; choice: ReactNode; onRemove: () => void }) {
  const { chart } = props;
  const isOffline = chart.offline === 1;
  const inside = (
    <>
      <span className={styles['picture']}>
        <ChartPicture chart={chart} />
        {isOffline && <span className={styles['off']}>已下架</span>}
      </span>
      <span className={styles['name']}>{chart.name}</span>
      <span className={styles['facts']}>
        {chart.type.name} · {chart.file.name} 第 {chart.page} 页
      </span>
    </>
  );
  return (
    <li className={styles['chart']} data-offline={isOffline}>
      {isOffline ? (
        <div className={styles['link']}>{inside}</div>
      ) : (
        <a className={styles['link']} href={`/detail/${chart.fid}#p=${chart.page}`} target="_blank" rel="noopener">
          {inside}
        </a>
      )}
      <div className={styles['tools']}>
        <span className={styles['choice']}>{props.choice}</span>
        {isOffline ? (
          <Button size="small" look="plain" aria-label={`移除《${chart.name}》`} onClick={props.onRemove}>
            移除
          </Button>
        ) : (
          <FavoriteButton target={{ type: 4, id: chart.id }} name={chart.name} look="row" isFavorite />
        )}
      </div>
    </li>
  );
}
