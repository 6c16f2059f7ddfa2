import { isSessionOver } from '../../../accounts/web/credentials.ts';
import { CODE } from '../../../protocol/codes.ts';
import { pageNumber } from '../../../protocol/paging.ts';
import type { KeptLoaded } from './kept-page.tsx';

type Paged = { page: number; page_size: number; total: number };

/** Returns the page number in the address of a list, 1 by default. */
export const pageOf = (request: Request): number =>
  pageNumber.parse(new URL(request.url).searchParams.get('page') ?? 1);

/** Returns the address of a page of the list at `path`. */
export const hrefOfPage = (path: string) => (page: number) => (page === 1 ? path : `${path}?page=${page}`);

/** Turns the answer of a list into what its page shows; `itemsOf` names the rows in it. A failed call is a list that could not be read. */
export async function loadKept<D extends Paged, T>(
  asked: Promise<{ code: number; data: D | object | null }>,
  itemsOf: (data: D) => T[],
): Promise<KeptLoaded<T>> {
  const reply = await asked.catch(() => null);
  // Safe: with code 0 the data is what the contract says.
  const data = reply?.code === CODE.ok ? (reply.data as D | null) : null;
  const list = data && { items: itemsOf(data), page: data.page, page_size: data.page_size, total: data.total };
  return { list, isOver: reply !== null && isSessionOver(reply.code) };
}
