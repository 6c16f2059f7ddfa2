import type { Ctx } from '../../src/context.ts';
import { signPageLink, signWholeLink } from '../../src/reading/server/page-links.ts';
import type { LibraryDocument } from './library.ts';
import type { Got, Reader } from './readers.ts';
import { mayHaveWhole, type ReaderName } from './rights.ts';
import { listSigned, openWhole } from './walk.ts';
import type { Watch } from './watch.ts';

/** Three hours: longer than any link lives. */
const LONG_AGO_MS = 3 * 60 * 60_000;

type Forger = { ctx: Ctx; readers: ReadonlyMap<ReaderName, Reader>; watch: Watch };

/** None of these may answer anything else than a plain request: no length, no part, no "not modified". */
const WAYS: readonly { method?: string; headers?: Record<string, string> }[] = [
  {},
  { method: 'HEAD' },
  { headers: { range: 'bytes=0-9' } },
  { headers: { 'if-none-match': '*' } },
];

/** The addresses that a reader with all rights got of one document, and those of a document with other pages. */
type Signed = { page: string; preview: string; whole: string; chart: string };

/**
 * Tries addresses that were not signed for the reader who asks: those of another session, and altered ones. Each must
 * answer 403 or 404 without a body.
 */
export async function tryForgeries(forger: Forger, one: LibraryDocument, other: LibraryDocument): Promise<void> {
  const { readers, watch } = forger;
  const advanced = readerOf(readers, 'advanced');
  const signed = await signedBy(advanced, one);
  // The addresses that are altered below work unaltered; otherwise every refusal would have another reason.
  for (const address of Object.values(signed)) mustBe(watch, await advanced.get(address), [200]);
  for (const reader of readers.values()) {
    if (reader === advanced) continue;
    for (const address of Object.values(signed)) {
      for (const init of WAYS) mustBe(watch, await reader.get(address, init), [403]);
    }
    await forgeOwn(forger, reader, one);
  }
  for (const address of altered(signed, other)) mustBe(watch, await advanced.get(address), [400, 403, 404]);
  for (const address of guessed(one))
    for (const reader of readers.values()) mustBe(watch, await reader.get(address), [400, 403, 404]);
  await tryExpired(forger, advanced, one);
}

/** A reader with a preview turns its own addresses into those of other pages. */
async function forgeOwn({ watch }: Forger, reader: Reader, document: LibraryDocument): Promise<void> {
  const preview = (await listSigned(reader, document)).flatMap(({ addresses }) => addresses);
  const own = preview.find((address) => /\/p3\.webp/.test(address));
  if (!own) return;
  for (const name of [
    'p11',
    `p${document.pageCount}`,
    'p11-2x',
    't11',
    't3',
    'p3-2x',
    'c2',
    'strip',
    'p03',
    'p13',
    'p9999',
  ])
    mustBe(watch, await reader.get(own.replace('/p3.webp', `/${name}.webp`)), [400, 403, 404]);
  mustBe(watch, await reader.get(own.replace('/p3.webp?', `/whole.pdf?d=${document.id}&`)), [403, 404]);
}

async function signedBy(reader: Reader, document: LibraryDocument): Promise<Signed> {
  const addresses = (await listSigned(reader, document)).flatMap((each) => each.addresses);
  const find = (pattern: RegExp) => addresses.find((address) => pattern.test(address)) ?? '';
  const whole = await openWhole(reader, document);
  return { page: find(/\/p11\.webp/), preview: find(/\/p3\.webp/), chart: find(/\/c1\.webp/), whole };
}

/** Addresses that a reader may make of its own: another page, size, document, expiry or signature. */
function altered({ page, preview, chart, whole }: Signed, other: LibraryDocument): string[] {
  const key = /\/media\/([^/]+)\//.exec(page)?.[1] ?? '';
  const each = (address: string) => {
    const url = new URL(address, 'http://ceku.test');
    const withParameter = (name: string, value: string) => {
      const changed = new URL(url);
      changed.searchParams.set(name, value);
      return changed.pathname + changed.search;
    };
    const expires = Number(url.searchParams.get('e'));
    const signature = url.searchParams.get('s') ?? '';
    return [
      url.pathname,
      address.replace(key, other.mediaKey),
      ...[expires + 1, expires - 1, expires + 1e9, 0, -1, 1e99].map((value) => withParameter('e', String(value))),
      ...['', 'Infinity', `${expires}.0001`, `0${expires}1`].map((value) => withParameter('e', value)),
      ...['', signature.slice(1), `${signature}A`, flipped(signature), signature.toLowerCase(), '%00'].map((value) =>
        withParameter('s', value),
      ),
      ...['d', 'e', 's']
        .map((name) => address.replace(new RegExp(`([?&])${name}=[^&]*&?`), '$1'))
        .filter((short) => short !== address),
      address.replace('/media/', '/media//'),
    ];
  };
  const query = page.slice(page.indexOf('?'));
  return [
    ...[page, preview, chart, whole].flatMap(each),
    ...['p12', 't11', 'p11-2x', 'c1', 'c2', 'strip'].map((name) => `/media/${key}/${name}.webp${query}`),
    `/media/${key}/whole.pdf${query}`,
    whole.replace(/d=\d+/, `d=${other.id}`),
    whole.replace(key, other.mediaKey).replace(/d=\d+/, `d=${other.id}`),
  ];
}

const flipped = (signature: string) => `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;

/** Addresses without a signature: what the file store holds, by the names that it has there. */
function guessed({ mediaKey, sha256, id }: LibraryDocument): string[] {
  return [
    ...['p1', 'p11', 'p11-2x', 't11', 'strip', 'c1', 'c1-original'].map((name) => `/media/${mediaKey}/${name}.webp`),
    `/media/${mediaKey}/words.json`,
    `/media/${mediaKey}/${'0'.repeat(32)}.webp`,
    `/media/${mediaKey}/whole.pdf?d=${id}`,
    `/media/${mediaKey}/`,
    `/media/${mediaKey}/cover.webp/../p11.webp`,
    `/media/${mediaKey}/%2e%2e/${mediaKey}/p11.webp`,
    `/media/..%2foriginals%2f${sha256}`,
    `/originals/${sha256}`,
    `/files/originals/${sha256}`,
    `/dl/${Buffer.from(`${id}.${id}.9999999999`).toString('base64url')}.${'A'.repeat(24)}`,
  ];
}

/** A link that the site signed for this very session works no longer once it has expired. */
async function tryExpired({ ctx, watch }: Forger, reader: Reader, document: LibraryDocument): Promise<void> {
  const sessionId = await reader.sessionId(ctx);
  const wanted = { mediaKey: document.mediaKey, page: 11, documentId: document.id, sessionId };
  const links = (now: number) => {
    const signing = { signer: ctx.signer, clock: { now: () => now } };
    return [signPageLink(signing, wanted), signWholeLink(signing, wanted)];
  };
  for (const address of links(Date.now())) mustBe(watch, await reader.get(address), [200]);
  for (const address of links(Date.now() - LONG_AGO_MS)) mustBe(watch, await reader.get(address), [403]);
}

/** An address that a reader was given. `isWhole`: of the whole file, not of a page. */
export type GivenAddress = { address: string; document: LibraryDocument; isWhole: boolean };

/** Tries addresses that were signed before a document was hidden: nothing of it is shown to anybody but its owner, who may still open the whole. */
export async function tryGone(
  { readers, watch }: Forger,
  given: ReadonlyMap<ReaderName, GivenAddress[]>,
): Promise<void> {
  for (const [name, list] of given)
    for (const { address, document, isWhole } of list) {
      const isOpen = isWhole && mayHaveWhole(name, document);
      mustBe(watch, await readerOf(readers, name).get(address), [isOpen ? 200 : 404]);
    }
}

export function readerOf(readers: ReadonlyMap<ReaderName, Reader>, name: ReaderName): Reader {
  const reader = readers.get(name);
  if (!reader) throw new Error(`there is no reader ${name}`);
  return reader;
}

function mustBe(watch: Watch, got: Got, statuses: readonly number[]): void {
  if (!statuses.includes(got.status)) watch.report(got, `${got.status} where ${statuses.join(' or ')} is right`);
}
