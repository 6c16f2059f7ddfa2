import { readFileSync } from 'node:fs';
import type { Ctx } from '../../../context.ts';
import { occasionsIn } from '../../../library/occasions.ts';
import { listLabels } from '../../../library/server/labels.ts';
import { listByIds, listRecommended } from '../../../library/server/list-documents.ts';
import type { Output } from '../../../protocol/endpoint.ts';
import type { searchDocuments } from '../../contract.ts';
import { foldedText } from '../../fold.ts';
import { withoutRefused } from '../../generic-words.ts';
import { findAll } from './find-named.ts';

/** One row of covers. */
const SHOWN = 4;
const OCCASIONS_THEME = '节日营销';
const THEME_WORDS = readFileSync(new URL('../../word-lists/nearest-themes.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [name = '', words = ''] = line.split(': ');
    return { name, words: words.split(' ') };
  });

type Nearest = Pick<Output<typeof searchDocuments>, 'nearest_theme' | 'nearest_list'>;
const NONE: Nearest = { nearest_theme: null, nearest_list: [] };

/** Returns the name of the theme that the words of a query belong to, or null. What it does not want (不要亲子) names none. */
export function nearestThemeName(query: string): string | null {
  const text = foldedText(withoutRefused(query));
  if (occasionsIn(text).size > 0 || /[\p{Script=Han}]{2}节/u.test(text)) return OCCASIONS_THEME;
  return THEME_WORDS.find(({ words }) => words.some((word) => text.includes(word)))?.name ?? null;
}

/** Returns the theme of a query without results, its document count, and its first documents. */
export async function nearestOf(ctx: Ctx, query: string): Promise<Nearest> {
  const name = nearestThemeName(query);
  const theme = name === null ? undefined : (await listLabels(ctx, 'theme')).find((each) => each.name === name);
  if (!theme) return NONE;
  const filter = { themeId: theme.id };
  const found = await findAll(ctx, { filter, sort: 'relevance', limit: SHOWN, offset: 0, isCounted: false });
  const { items, total } = found
    ? { items: await listByIds(ctx, found.ids), total: found.total }
    : await listRecommended(ctx, { ...filter, page: 1, pageSize: SHOWN });
  if (total === 0) return NONE;
  return { nearest_theme: { id: theme.id, name: theme.name, count: total }, nearest_list: items };
}
