import type { Ctx } from '../../src/context.ts';
import { hideDocument } from '../../src/library/server/documents.ts';
import { createConcurrencyLimit } from '../../src/platform/concurrency-limit.ts';
import { type GivenAddress, readerOf, tryForgeries, tryGone } from './forge.ts';
import { addLibrary, PRICE, type LibraryDocument } from './library.ts';
import { openReaders, type Reader } from './readers.ts';
import { READERS, type ReaderName } from './rights.ts';
import { listCalls, listSigned, openWhole, walkDocument, walkSearches, walkSite } from './walk.ts';
import { createWatch, type Seen } from './watch.ts';

/** A running site without rate limits and without documents, with its data open beside it. */
type CrawledSite = {
  origin: string;
  ctx: Ctx;
  /** Takes the files of a folder in, as an operator does; null: no document comes by ingest, which takes the longest. */
  ingest: ((folder: string) => Promise<void>) | null;
};

export type Crawl = {
  documents: number;
  calls: number;
  answers: number;
  violations: string[];
  /** Counts what readers with the right saw of pages after the tenth, so that a crawl that recognises nothing is noticed. */
  seen: ReadonlyMap<ReaderName, Seen>;
};

/** How long a site may take until searches and pages no longer show what was hidden. */
const SETTLED_MS = 120_000;

/** Documents that one reader walks at a time: a browser has six requests of a session in flight as well. */
const DOCUMENTS_AT_ONCE = 6;

/**
 * Walks a site as every reader of the table of rights: all documents, all routes, all calls, searches in all forms, images in all sizes,
 * and addresses of other sessions, altered and guessed. `walked` leaves out documents by their number, where others are like them.
 * Resolves to what was shown without the right.
 */
export async function crawl(
  site: CrawledSite,
  { count, walked = () => true }: { count: number; walked?: (number: number) => boolean },
  say: (line: string) => void,
): Promise<Crawl> {
  const { ctx, origin } = site;
  say(`adding ${count} documents`);
  const library = await addLibrary(ctx, count, site.ingest);
  const watch = createWatch(library);
  const bought = library.documents.filter(({ standing }) => ['owned', 'hidden', 'removed'].includes(standing));
  const readers = await openReaders(ctx, origin, { coins: bought.length * PRICE, watch: (got) => watch.look(got) });
  const forger = { ctx, readers, watch };
  const calls = await listCalls(origin);

  // The watch pauses while documents are bought and hidden: a document that is not hidden yet is rightly shown.
  const owner = readerOf(readers, 'owner');
  watch.pause();
  for (const { id } of bought) await buy(owner, id);
  const gone = library.documents.filter(({ standing }) => standing === 'hidden' || standing === 'removed');
  const before = new Map<ReaderName, GivenAddress[]>();
  for (const reader of readers.values()) before.set(reader.name, await addressesOf(reader, gone.slice(0, 4)));
  for (const { id, standing } of gone) await hideDocument(ctx, id, standing === 'hidden' ? 'operator' : 'copyright');
  await waitUntilGone(readerOf(readers, 'advanced'), gone);
  watch.resume();

  for (const name of INFORMED_FIRST) {
    const reader = readerOf(readers, name);
    say(`walking as ${name}`);
    const walker = { reader, watch, calls };
    const limit = createConcurrencyLimit(DOCUMENTS_AT_ONCE);
    const documents = library.documents.filter(({ number }) => walked(number));
    await Promise.all(documents.map((document) => limit.run(() => walkDocument(walker, document))));
    await walkSearches(walker, library);
    await walkSite(walker);
  }
  say('trying addresses that were not given');
  await tryGone(forger, before);
  const [one, other] = library.documents.filter(({ standing }) => standing === 'published');
  if (one && other) await tryForgeries(forger, one, other);
  return {
    documents: library.documents.length,
    calls: calls.length,
    answers: watch.countAnswers(),
    violations: [...watch.violations],
    seen: watch.seen,
  };
}

/**
 * Returns what is wrong with a crawl, a line for each violation, and for each reader with the right who saw nothing of what
 * only that right shows: such a crawl would not recognise it in the wrong hands either. Empty for a crawl that proves something.
 */
export function listFaults({ violations, seen }: Pick<Crawl, 'violations' | 'seen'>): string[] {
  const unseen = (reader: ReaderName, what: readonly (keyof Seen)[]) =>
    what
      .filter((kind) => !seen.get(reader)?.[kind])
      .map((kind) => `${reader} has the right to ${NAMES[kind]} and saw none`);
  const pages = ['laterTexts', 'laterImages', 'wholes'] as const;
  return [
    ...violations,
    ...unseen('standard', pages),
    ...unseen('advanced', [...pages, 'charts']),
    ...unseen('owner', pages),
  ];
}

const NAMES: Record<keyof Seen, string> = {
  laterTexts: 'texts of pages after the tenth',
  laterImages: 'images of pages after the tenth',
  wholes: 'whole files',
  charts: 'numbers of charts',
};

/** Those with the right come first: from them the watch learns what later pages look like. */
const INFORMED_FIRST = READERS.toSorted((one, other) => Number(isInformed(other)) - Number(isInformed(one)));
function isInformed(name: ReaderName): boolean {
  return name === 'standard' || name === 'advanced';
}

async function buy(owner: Reader, id: number): Promise<void> {
  const { code } = await owner.call('/api/doc/download', { fid: id });
  if (code !== 0) throw new Error(`document ${id} could not be bought: ${code}`);
}

async function addressesOf(reader: Reader, documents: readonly LibraryDocument[]): Promise<GivenAddress[]> {
  const signed = await Promise.all(
    documents.map(async (document) => {
      const images = (await listSigned(reader, document)).flatMap(({ addresses }) => addresses);
      const whole = await openWhole(reader, document);
      return [
        ...images.map((address) => ({ address, document, isWhole: false })),
        ...(whole === '' ? [] : [{ address: whole, document, isWhole: true }]),
      ];
    }),
  );
  return signed.flat();
}

/** Search follows a change a moment later: waits until neither searches nor details show the documents. */
async function waitUntilGone(reader: Reader, documents: readonly LibraryDocument[]): Promise<void> {
  const ids = new Set(documents.map(({ id }) => id));
  for (
    const giveUpAt = Date.now() + SETTLED_MS;
    Date.now() < giveUpAt;
    await new Promise((done) => setTimeout(done, 100))
  ) {
    const shown = await Promise.all(
      [...ids].map(async (fid) => (await reader.call('/api/doc/getDetail', { fid })).code),
    );
    if (shown.every((code) => code === 4)) return;
  }
  throw new Error('documents that were hidden are still shown');
}
