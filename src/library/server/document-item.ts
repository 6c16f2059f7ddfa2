import type { DocumentItem } from '../contract.ts';
import { listFileType, type FileType } from '../file-types.ts';
import { type KeyPage, pageKindName } from '../key-pages.ts';
import { STATED_NAMES, statedText } from '../stated-text.ts';
import { dayText, isNew, isPreviewOnly, megabytes, updateText } from '../rules.ts';
import { byKind, SINGLE_KINDS, type LabelIds, type SingleKind } from '../taxonomy.ts';

/** The columns a list item is made from, as store.ts selects them. */
export type ItemRow = LabelIds &
  Record<`${SingleKind}Name`, string | null> & {
    id: number;
    name: string;
    priceCoins: number;
    researcher: string;
    createdAt: Date;
    updatedAt: Date;
    mediaKey: string;
    coverWidth: number;
    coverWidths: readonly number[];
    coverColor: string;
    fileType: FileType;
    pageCount: number;
    sizeBytes: number;
    flags: readonly string[];
    budgetFen: number;
    budgetPage: number;
    people: number;
    peoplePage: number;
    days: number;
    daysPage: number;
    keyPages: readonly KeyPage[];
    versionGroup: number | null;
  };

/** Converts a row into the list item of the contract. `now` in epoch ms. `is_favorite` is 0: it depends on the caller (shelf's markFavorites). */
export function toDocumentItem(row: ItemRow, now: number): DocumentItem {
  return {
    id: row.id,
    fid: row.id,
    name: row.name,
    price: row.priceCoins,
    share_url: coverPath(row),
    cover_srcset: coverSrcSet(row),
    cover_color: row.coverColor,
    ...listFileType(row.fileType),
    page_count: row.pageCount,
    size: megabytes(row.sizeBytes),
    ...byKind(SINGLE_KINDS, (kind) => ({ id: row[`${kind}Id`] ?? 0, name: row[`${kind}Name`] ?? '' })),
    // Researchers are stored as names and have no id.
    researcher: { id: 0, name: row.researcher },
    time_text: dayText(row.createdAt),
    create_time: Math.floor(row.createdAt.getTime() / 1_000),
    updateText: updateText(row.updatedAt, now),
    is_new: isNew(row.createdAt, now),
    online_url: '',
    is_favorite: 0,
    item_id: row.id,
    item_type: 3,
    parent_id: 0,
    chart_list: [],
    preview_only: isPreviewOnly(row) ? 1 : 0,
    stated: statedFacts(row),
    key_pages: row.keyPages.map(({ kind, page }) => ({ kind, name: pageKindName(kind), page })),
  };
}

function statedFacts(row: ItemRow): DocumentItem['stated'] {
  // In fen, as all money of the API.
  const facts: Pick<DocumentItem['stated'][number], 'kind' | 'value' | 'page'>[] = [
    { kind: 'budget', value: row.budgetFen, page: row.budgetPage },
    { kind: 'people', value: row.people, page: row.peoplePage },
    { kind: 'days', value: row.days, page: row.daysPage },
  ];
  return facts
    .filter(({ value }) => value > 0)
    .map((fact) => ({ ...fact, name: STATED_NAMES[fact.kind], text: statedText(fact) }));
}

/** Returns the path of the public cover image with this width, "" while there is no cover. */
function coverPath(file: { mediaKey: string; coverWidth: number }, width = 480): string {
  return file.coverWidth > 0 ? `/media/${file.mediaKey}/cover${width === 480 ? '' : `-${width}`}.webp` : '';
}

/** Returns the srcset of the public cover, "" while there is no cover. The widths are nominal: narrow covers have fewer pixels. */
function coverSrcSet(file: { mediaKey: string; coverWidth: number; coverWidths: readonly number[] }): string {
  if (file.coverWidth === 0) return '';
  return file.coverWidths.map((width) => `${coverPath(file, width)} ${width}w`).join(', ');
}
