import type { CardItem } from '../../library/web/card-item.ts';
import { DocumentCard } from '../../library/web/document-card.tsx';
import { DocumentGrid, newestOf } from '../../library/web/document-grid.tsx';
import { FavoriteButton } from './favorite-button.tsx';

/**
 * A grid of document cards, each with the star of the favourites. `owned`: ids of the documents that the reader owns.
 * `aboveFold`: for the main list of a page, the number of cards whose covers load first; its cards are h2, and the newest
 * are marked. `isSwitchable`: they become rows when the reader prefers a list.
 */
export function DocumentCards(props: {
  items: CardItem[];
  owned: ReadonlySet<number>;
  aboveFold?: number;
  isSwitchable?: boolean;
}) {
  const { items, owned, aboveFold, isSwitchable = false } = props;
  const isMainList = aboveFold !== undefined;
  const newest = newestOf(isMainList ? items : []);
  return (
    <DocumentGrid isSwitchable={isSwitchable}>
      {items.map((item, index) => (
        <DocumentCard
          key={item.id}
          item={item}
          isPriority={isMainList && index < aboveFold}
          isNewest={newest.has(item.id)}
          isOwned={owned.has(item.id)}
          heading={isMainList ? 'h2' : 'h3'}
          action={
            <FavoriteButton
              target={{ type: 3, id: item.id }}
              name={item.name}
              look="card"
              isFavorite={item.is_favorite === 1 || undefined}
            />
          }
        />
      ))}
    </DocumentGrid>
  );
}
