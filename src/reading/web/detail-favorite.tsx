import type { ChartItem } from '../../charts/contract.ts';
import { FavoriteButton } from '../../shelf/web/favorite-button.tsx';
import type { DocumentDetail } from '../contract.ts';

/** The favourite toggle of the document that the page shows. */
export function DetailFavorite({ detail, look }: { detail: DocumentDetail; look: 'tool' | 'icon' | 'stacked' }) {
  const { fid, name, is_favorite: isFavorite } = detail;
  return <FavoriteButton target={{ type: 3, id: fid }} name={name} look={look} isFavorite={isFavorite === 1} />;
}

/** Returns the favourite toggle of a chart, for its dialog. */
export const chartFavorite = ({ id, name }: ChartItem) => (
  <FavoriteButton key={id} target={{ type: 4, id }} name={name} look="tool" />
);
