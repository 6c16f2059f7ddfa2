import siteMap from '../../src/routes.ts';
import { LATE_WORD, NAME_WORD, PAGE_WORD, type Library, type LibraryDocument } from './library.ts';
import type { Got, Reader } from './readers.ts';
import { lastPageFor, resultsFor } from './rights.ts';
import type { Watch } from './watch.ts';

/** A call of the API as /api/openapi.json describes it. */
export type Call = { path: string; fields: ReadonlySet<string> };

/** Calls that end the session or the account of the reader, or that are about logging in: none shows a document. */
const LEFT_OUT =
  /Login|login|sendPhoneCode|verifyUserPhone|bindPhone|returnPwd|Logout|cancelAccount|session|Session|updateInfo/;
/** Fields by which a call names a document, a chart or a part of one. */
const NAMES_DOCUMENT = ['fid', 'fids', 'id', 'ids', 'oss_name', 'file_id', 'doc_id'];

/** A walker asks for everything as one reader. */
type Walker = { reader: Reader; watch: Watch; calls: readonly Call[] };

/** The images of a page that a call has given addresses of. */
type SignedPage = { page: number; addresses: string[] };

/** Reads which calls a site answers, so that a call nobody has thought of is asked as well. */
export async function listCalls(origin: string): Promise<Call[]> {
  const answer = await fetch(new URL('/api/openapi.json', origin));
  type Operation = { requestBody?: { content: Record<string, { schema?: { properties?: object } }> } };
  // Safe: the shape that OpenAPI 3.1 gives; a missing part makes a call without fields.
  const { paths } = (await answer.json()) as { paths: Record<string, { post?: Operation }> };
  const calls = Object.entries(paths)
    .filter(([path, { post }]) => post && !LEFT_OUT.test(path))
    .map(([path, { post }]) => {
      const content = Object.values(post?.requestBody?.content ?? {});
      return { path, fields: new Set(content.flatMap(({ schema }) => Object.keys(schema?.properties ?? {}))) };
    });
  if (calls.length === 0) throw new Error('the site describes no calls');
  return calls;
}

/** One body for every call: unknown fields are passed over (C-01), and nothing is agreed to (`expect`). */
const anyInput = ({ id, sha256 }: LibraryDocument, page: number) => ({
  fid: id,
  fids: [id],
  id,
  ids: [id],
  file_id: id,
  doc_id: id,
  oss_name: `originals/${sha256}`,
  page,
  from: page,
  count: 60,
  text: PAGE_WORD,
  number: 2,
  expect: { method: 'none', cost: 0 },
});

/** Everything about one document: calls, pages in both forms, images in all sizes, the PDF, poster and code. */
export async function walkDocument(walker: Walker, document: LibraryDocument): Promise<void> {
  const { reader, watch, calls } = walker;
  const last = lastPageFor(reader.name, document);
  for (const { path, fields } of calls) {
    if (!NAMES_DOCUMENT.some((field) => fields.has(field))) continue;
    const pages = fields.has('page') || fields.has('from') ? [1, 11] : [1];
    for (const page of pages) await reader.call(path, anyInput(document, page));
    if (IS_OF_CHARTS.test(path)) await walkCharts(reader, path, document);
  }
  // Several calls sign the same image: it is loaded by one address, unless nobody should have given any.
  const loaded = new Set<string>();
  const signed = await listSigned(reader, document);
  for (const { page, addresses } of signed) {
    for (const address of addresses) {
      if (page > last) watch.report({ reader: reader.name, asked: address, status: 0 }, `the address of page ${page}`);
      const [image = address] = address.split('?', 1);
      if (page <= last && loaded.has(image)) continue;
      loaded.add(image);
      if (isStored(page, address) || isDrawn(document, page, last))
        watch.learn(await reader.get(address), document.number, page);
    }
  }
  await walkWhole(walker, document);
  const found = await reader.call('/api/doc/findInDocument', { fid: document.id, text: PAGE_WORD });
  checkHits(walker, document, found, last);
  for (const address of [
    `/detail/${document.id}`,
    `/detail/${document.id}.data`,
    `/media/${document.mediaKey}/cover.webp`,
  ])
    await reader.get(address);
  // A poster takes half a second to draw.
  if (reader.name === 'visitor' && (document.number === 1 || !isOnSale(document))) await checkPoster(walker, document);
}

const IS_OF_CHARTS = /chart/i;

/** Asks a call about charts for each chart of a document, and for every file whose address it gives. */
async function walkCharts(reader: Reader, path: string, document: LibraryDocument): Promise<void> {
  for (const id of document.chartIds) {
    const { data } = await reader.call(path, { ...anyInput(document, 1), id, chart_id: id });
    for (const [, address = ''] of JSON.stringify(data).matchAll(/"(\/(?:media|dl|api)\/[^"]+)"/g))
      await reader.get(address);
  }
}

const isOnSale = ({ standing }: LibraryDocument) => standing === 'published' || standing === 'owned';

/** Poster and code are public, as long as the document is. */
async function checkPoster({ reader, watch }: Walker, document: LibraryDocument): Promise<void> {
  const wanted = isOnSale(document) ? 200 : 404;
  for (const address of [`/api/doc/poster?fid=${document.id}`, `/api/gz/getBaogaoWxCode?scene=${document.id}&type=2`]) {
    const got = await reader.get(address);
    if (got.status !== wanted) watch.report(got, `${got.status} where ${wanted} is right`);
  }
}

/** The images that lie in the file store from the start. */
const isStored = (page: number, address: string) => page <= 10 && /\/(p\d+|c\d+|strip)\.webp/.test(address);

/** Drawing takes long: of one document in fifty, which the reader `owner` owns, and there of the pages after the preview. */
const isDrawn = ({ number }: LibraryDocument, page: number, last: number) =>
  page > last || (number % 50 === 3 && page > 10);

/** Opens the original as PDF and takes the download, where nothing has to be paid for it. */
async function walkWhole({ reader }: Walker, document: LibraryDocument): Promise<void> {
  const calls = ['/api/doc/original'];
  // A member would pay with a coupon and own the document, with other rights from then on.
  const hasCoupons = ['standard', 'advanced', 'over-limit'].includes(reader.name);
  if (!hasCoupons || !isOnSale(document)) calls.push('/api/doc/download');
  for (const path of calls) {
    // Safe: both calls answer a `url`, and refusals have no data or other fields.
    const { data } = (await reader.call(path, { fid: document.id })) as { data: { url?: string } | null };
    if (data?.url) await reader.get(data.url);
  }
}

/** Returns the address of the original as PDF; "" for a reader who gets none. */
export async function openWhole(reader: Reader, { id }: LibraryDocument): Promise<string> {
  // Safe: the field of the contract; a refusal has none.
  const { data } = (await reader.call('/api/doc/original', { fid: id })) as { data: { url?: string } | null };
  return data?.url ?? '';
}

type ListedPage = { page: number; url: string; url_2x: string; thumbnail_url: string };
type DetailPages = {
  page_urls: string[];
  page_urls_2x: string[];
  strip_url: string;
  chart_list: { page: number; online_url: string }[];
};

/** Returns the signed addresses of images that the calls give to a reader, by the page that they show. */
export async function listSigned(reader: Reader, { id, sha256 }: LibraryDocument): Promise<SignedPage[]> {
  // Safe, here and below: the fields of the contract; a refusal has none of them.
  const detail = (await reader.call('/api/doc/getDetail', { fid: id })).data as { detail?: DetailPages } | null;
  const listed: ListedPage[] = [];
  for (const from of [1, 11]) {
    const { data } = await reader.call('/api/doc/readPages', { fid: id, from, count: 60 });
    listed.push(...((data as { pages?: ListedPage[] } | null)?.pages ?? []));
  }
  const { data: task } = await reader.call('/api/web/doc2png', { oss_name: `originals/${sha256}` });
  const { data: done } = await reader.call('/api/web/checkTask', task ?? {});
  const ofTask = (done as { page_urls?: string[] } | null)?.page_urls ?? [];
  const {
    page_urls: normal = [],
    page_urls_2x: large = [],
    strip_url: strip = '',
    chart_list: charts = [],
  } = detail?.detail ?? {};
  const all: SignedPage[] = [
    ...[normal, large, ofTask].flatMap((list) =>
      list.map((address, index) => ({ page: index + 1, addresses: [address] })),
    ),
    ...charts.map(({ page, online_url: address }) => ({ page, addresses: [address] })),
    ...listed.map(({ page, url, url_2x, thumbnail_url }) => ({ page, addresses: [url, url_2x, thumbnail_url] })),
    { page: 1, addresses: [strip] },
  ];
  return all
    .map(({ page, addresses }) => ({ page, addresses: addresses.filter((address) => address !== '') }))
    .filter(({ addresses }) => addresses.length > 0);
}

type Hits = { total: number; pages: { page: number }[] };

/** The word stands once on every page: neither the count nor the pages may tell of others than the reader's. */
function checkHits(
  { reader, watch }: Walker,
  document: LibraryDocument,
  { data }: { data: unknown },
  last: number,
): void {
  // Safe: the fields of the contract; a refusal has no data.
  const hits = data as Hits | null;
  const total = hits?.total ?? 0;
  const furthest = Math.max(0, ...(hits?.pages ?? []).map(({ page }) => page));
  if (total === last && furthest === last) return;
  const got = {
    reader: reader.name,
    asked: `POST /api/doc/findInDocument of document ${document.number}`,
    status: 200,
  };
  watch.report(got, `${total} hits up to page ${furthest} where ${last} pages may be seen`);
}

type FoundItem = { id: number; versions: { fid: number }[] };

/** Keyword searches in every form: no form shows a reader more results than the table says. */
export async function walkSearches({ reader, watch }: Walker, library: Library): Promise<void> {
  const limit = resultsFor(reader.name);
  const published = library.documents.filter(isOnSale).length;
  const forms: object[] = [
    {},
    { sort: 'newest', searchLimit: 1_000 },
    { sort: 'pages', pageSize: 50, filetype: 2 },
    { pubdate: 3, exact: 1 },
  ];
  for (const key of [NAME_WORD, PAGE_WORD, LATE_WORD])
    for (const form of forms) {
      const found = new Set<number>();
      for (const page of [1, '2', 3]) {
        const { data } = await reader.call('/api/doc/search', { search_key: key, page, ...form });
        // Safe: the field of the contract; a refusal has no data.
        const items = (data as { item_list?: FoundItem[] } | null)?.item_list ?? [];
        // The versions of a plan are folded into one item, which names them: each is shown.
        for (const { id, versions } of items)
          for (const shown of [id, ...versions.map(({ fid }) => fid)]) found.add(shown);
      }
      const got = {
        reader: reader.name,
        asked: `POST /api/doc/search ${JSON.stringify({ key, ...form })}`,
        status: 200,
      };
      if (limit !== null && found.size > limit) watch.report(got, `${found.size} results of one search`);
      // Some documents are too short for the word of later pages, and an exact search passes over pages.
      const isInAll = key !== LATE_WORD && !('exact' in form);
      if (limit === null && isInAll && found.size < Math.min(published, 11))
        watch.report(got, `only ${found.size} results, where all may be seen`);
    }
  for (const address of searchPages(NAME_WORD)) checkNames(watch, await reader.get(address), limit);
}

const searchPages = (key: string) =>
  ['/report', '/report.data'].flatMap((path) =>
    ['', '&page=2', '&page=3&sort=newest'].map((more) => `${path}?search_key=${encodeURIComponent(key)}${more}`),
  );

function checkNames(watch: Watch, got: Got, limit: number | null): void {
  const names = new Set(got.body.toString().match(/zn\d+e/g));
  if (limit !== null && names.size > limit) watch.report(got, `${names.size} results of one search on a page`);
}

/** Asks once for everything that names no document: calls, lists, all routes, sitemaps. */
export async function walkSite({ reader, calls }: Walker): Promise<void> {
  for (const { path, fields } of calls) {
    if (NAMES_DOCUMENT.some((field) => fields.has(field))) continue;
    for (const page of fields.has('page') ? [1, 2] : [1])
      await reader.call(path, { page, pageSize: 50, keyword: NAME_WORD, prefix: 'zn', text: PAGE_WORD });
  }
  const pages = listRoutes().filter((path) => !path.includes(':') && !path.includes('*'));
  for (const path of pages) {
    await reader.get(path);
    await reader.get(`${path === '/' ? '/_root' : path}.data`);
  }
  for (const path of ['/robots.txt', '/sitemap.xml', '/sitemap-pages.xml', '/sitemap-0.xml', '/api', '/sw.js'])
    await reader.get(path);
}

type Route = { path?: string | undefined; children?: Route[] | undefined };

/** The paths of src/routes.ts. */
export function listRoutes(routes: readonly Route[] = siteMap, parent = ''): string[] {
  return routes.flatMap(({ path, children }) => {
    const own = path === undefined ? parent : `${parent}/${path}`;
    return children ? listRoutes(children, own) : [own || '/'];
  });
}
