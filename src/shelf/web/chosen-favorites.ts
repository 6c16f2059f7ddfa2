import { call } from '../../accounts/web/call.ts';
import { removeFavorites, type FavoriteChart, type FavoriteDocument } from '../contract.ts';
import { setState } from './favorite-states.ts';
import { tell } from './tell.ts';

/** Favourites that one bulk action moves or removes. */
export type Chosen = readonly (FavoriteDocument | FavoriteChart)[];

export const idsOf = (items: Chosen) => ({
  fids: items.flatMap((item) => (item.item_type === 3 ? item.item_id : [])),
  chart_ids: items.flatMap((item) => (item.item_type === 4 ? item.item_id : [])),
});

/** Removes favourites, and updates the stars on all pages of this tab. */
export async function removeChosen(items: Chosen): Promise<boolean> {
  const isDone = await tell(call(removeFavorites, idsOf(items)), ({ removed }) => `已取消收藏 ${removed} 项`);
  if (isDone) for (const { item_type: type, item_id: id } of items) setState({ type, id }, false);
  return isDone;
}
