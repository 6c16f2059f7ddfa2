import { type CardItem, toCardItem } from '../../../library/web/card-item.ts';
import type { Answer } from '../../../protocol/endpoint.ts';
import type { FoundItem, searchDocuments } from '../../contract.ts';

/** A result as the page shows it: its card, why it is listed, and the first page that contains the words. */
export type ShownItem = CardItem &
  Pick<FoundItem, 'match' | 'missing' | 'reason' | 'page_hits' | 'asked_pages' | 'stated' | 'versions'>;

/** An answer of the search with the fields of its documents that the page shows. */
export type ShownAnswer = Omit<Answer<typeof searchDocuments>, 'item_list' | 'nearest_list' | 'similar_list'> & {
  item_list: ShownItem[];
  /** Number of plans in `item_list`, with the versions that its cards fold. */
  shown_count: number;
  nearest_list: CardItem[];
  similar_list: CardItem[];
  /** The industry of all of `similar_list`. */
  similar_industry: string;
};

/** A card has no room for more. */
const MAX_ASKED_PAGES = 2;

/** Returns what a loader hands to the page of an answer. */
export function toShownAnswer(answer: Answer<typeof searchDocuments>): ShownAnswer {
  const { item_list, nearest_list, similar_list, ...rest } = answer;
  return {
    ...rest,
    item_list: item_list.map((item) => ({
      ...toCardItem(item),
      match: item.match,
      missing: item.missing,
      reason: item.reason,
      stated: item.stated,
      versions: item.versions,
      // A page that is asked for says more than a line in which its name stands.
      page_hits: item.asked_pages.length > 0 ? [] : item.page_hits.slice(0, 1),
      asked_pages: item.asked_pages.slice(0, MAX_ASKED_PAGES),
    })),
    shown_count: item_list.reduce((count, { versions }) => count + 1 + versions.length, 0),
    nearest_list: nearest_list.map(toCardItem),
    similar_list: similar_list.map(toCardItem),
    similar_industry: similar_list[0]?.industry.name ?? '',
  };
}
