import type { DocumentItem } from '../contract.ts';

/** The facts of a document that a DocumentCard shows. */
export type CardItem = Pick<
  DocumentItem,
  | 'id'
  | 'name'
  | 'price'
  | 'share_url'
  | 'cover_srcset'
  | 'cover_color'
  | 'file_type_text'
  | 'page_count'
  | 'size'
  | 'time_text'
  | 'create_time'
  | 'is_new'
  | 'preview_only'
  | 'is_favorite'
> & { organization: { name: string } };

/** Returns what a loader hands to the page of a listed document: half of the fields, so that the page's data stays small. */
export function toCardItem(item: DocumentItem): CardItem {
  return {
    id: item.id,
    name: item.name,
    price: item.price,
    share_url: item.share_url,
    cover_srcset: item.cover_srcset,
    cover_color: item.cover_color,
    file_type_text: item.file_type_text,
    page_count: item.page_count,
    size: item.size,
    time_text: item.time_text,
    create_time: item.create_time,
    is_new: item.is_new,
    preview_only: item.preview_only,
    is_favorite: item.is_favorite,
    organization: { name: item.organization.name },
  };
}
