import { loadavg } from 'node:os';
import type { Answer } from '../../src/protocol/endpoint.ts';
import type { readPages } from '../../src/reading/contract.ts';
import { PREVIEW_PAGES } from '../../src/library/limits.ts';
import { spreadOf } from '../search/measure.ts';

/**
 * A deck to be read. `image`: which images of it are drawn on demand: those of the pages after the preview, or, of a deck
 * without such pages, the large images of the preview.
 */
export type Deck = { id: number; name: string; pageCount: number; image: 'normal' | 'large' };

/** A member with the right to read every page. `headers` carry the session. */
export type Member = { origin: string; headers: Record<string, string> };

/** One page image that was asked for: milliseconds from the request to the last byte. */
export type Loaded = { deck: Deck; page: number; status: number; ms: number; bytes: number };

type Listed = Answer<typeof readPages>['pages'][number];

/**
 * Chooses the decks to be read among those with an image that is drawn on demand: the longest first, of equal ones by name, so that
 * the same files give the same decks.
 */
export function chooseDecks(decks: readonly Deck[], count: number): Deck[] {
  return decks
    .toSorted(
      (one, other) => other.pageCount - one.pageCount || one.name.localeCompare(other.name, 'en') || one.id - other.id,
    )
    .slice(0, count);
}

/** Returns the page of a deck that a reader asks for first: the eleventh or a later one, spread over the deck; of a short deck the last. */
export function firstPageOf({ pageCount, image }: Deck, turn: number): number {
  return image === 'large' ? pageCount : PREVIEW_PAGES + 1 + ((turn * 7) % (pageCount - PREVIEW_PAGES));
}

/** Opens a deck at a page, as the viewer does: lists it, then loads its image. The time is that of the image. */
export async function openAt(member: Member, deck: Deck, page: number): Promise<Loaded> {
  const listed = await listPage(member, deck, page);
  return { deck, page, ...(await load(member, deck.image === 'large' ? listed.url_2x : listed.url)) };
}

async function listPage({ origin, headers }: Member, deck: Deck, page: number): Promise<Listed> {
  const answer = await fetch(`${origin}/api/doc/readPages`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ fid: deck.id, from: page, count: 1 }),
  });
  // Safe: the shape of the contract; a refusal has no pages and ends the run below.
  const reply = (await answer.json()) as { message: string; data: { pages?: Listed[] } | null };
  const [listed] = reply.data?.pages ?? [];
  if (!listed) throw new Error(`page ${page} of ${deck.name} is not listed: ${reply.message}`);
  return listed;
}

async function load({ origin, headers }: Member, url: string): Promise<Pick<Loaded, 'status' | 'ms' | 'bytes'>> {
  const startedAt = performance.now();
  const answer = await fetch(origin + url, { headers });
  const bytes = (await answer.arrayBuffer()).byteLength;
  return { status: answer.status, ms: performance.now() - startedAt, bytes };
}

/** The figures of one row. `within`: how many pages came within the aim. */
export function rowOf(what: string, loaded: readonly Loaded[], aimMs: number) {
  const times = loaded.map(({ ms }) => ms);
  const { p50, p95 } = spreadOf(times) ?? { p50: 0, p95: 0 };
  const within = loaded.filter(({ status, ms }) => status === 200 && ms < aimMs).length;
  return {
    what,
    pages: loaded.length,
    [`under aim`]: `${within} of ${loaded.length} < ${aimMs} ms`,
    'median ms': Math.round(p50),
    'p95 ms': Math.round(p95),
    'longest ms': Math.round(Math.max(...times, 0)),
    refused: loaded.filter(({ status }) => status !== 200).length,
    load: loadavg()[0]?.toFixed(1),
  };
}
