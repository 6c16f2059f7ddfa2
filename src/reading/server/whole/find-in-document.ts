import type { Ctx } from '../../../context.ts';
import { normalizedText } from '../../../library/normalized-text.ts';
import { listPagesWithText } from '../../../library/server/catalogue.ts';
import type { Output, Parsed } from '../../../protocol/endpoint.ts';
import type * as contract from '../../contract.ts';
import { openForReading } from './open-for-reading.ts';

/** Characters before and after a hit in an excerpt. */
const AROUND = 24;

/**
 * Finds words in the pages of a document that the reader may see. Other pages are not looked at: a count of their hits
 * would tell their text, word by word. Throws notLoggedIn and notFound.
 */
export async function findInDocument(
  ctx: Ctx,
  { fid, text }: Parsed<typeof contract.findInDocument>,
): Promise<Output<typeof contract.findInDocument>> {
  const { file, readablePages } = await openForReading(ctx, fid);
  const wanted = normalizedText(text);
  if (wanted === '') return { readable_pages: readablePages, total: 0, pages: [] };
  const found = await listPagesWithText(ctx, file.id, { text, lastPage: readablePages });
  const pages = found.map(({ page, text: pageText }) => ({ page, ...hitsIn(pageText, wanted) }));
  return { readable_pages: readablePages, total: pages.reduce((sum, { count }) => sum + count, 0), pages };
}

function hitsIn(text: string, wanted: string): { count: number; excerpt: string } {
  const plain = normalizedText(text);
  const first = plain.indexOf(wanted);
  let count = 0;
  for (let at = first; at >= 0; at = plain.indexOf(wanted, at + wanted.length)) count += 1;
  return { count, excerpt: excerptOf(text, plain, { from: first, to: first + wanted.length }) };
}

/** Letters with their combining marks: normalized one by one they are the normalized text, which single characters are not. */
const GRAPHEMES = new Intl.Segmenter('zh', { granularity: 'grapheme' });

/** Returns the text around a hit as it is written. The hit is given in the normalized text. */
function excerptOf(text: string, plain: string, hit: { from: number; to: number }): string {
  if (hit.from < 0) return '';
  let at = 0;
  let start = 0;
  let end = 0;
  const from = Math.max(hit.from - AROUND, 0);
  const to = Math.min(hit.to + AROUND, plain.length);
  for (const { segment } of GRAPHEMES.segment(text)) {
    if (at <= from) start = end;
    at += normalizedText(segment).length;
    end += segment.length;
    if (at >= to) break;
  }
  const excerpt = text.slice(start, end).replace(/\s+/gu, ' ').trim();
  return `${from > 0 ? '…' : ''}${excerpt}${to < plain.length ? '…' : ''}`;
}
