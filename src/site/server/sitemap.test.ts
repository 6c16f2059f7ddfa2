import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPublished } from '../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { listIndustries, listThemes } from '../../library/contract.ts';
import { hideDocument } from '../../library/server/documents.ts';
import { INDUSTRIES, THEMES } from '../../library/taxonomy.ts';
import { serveSitemap } from './sitemap.ts';

let app: TestApp;
const published: number[] = [];
/** The sitemap of the library while it had two documents, of which one was hidden. */
let small: string | undefined;
beforeAll(async () => {
  app = await openTestApp();
  const add = async () => (await addPublished(app, { industry: INDUSTRIES[0] ?? '', themes: [THEMES[0] ?? ''] })).id;
  published.push(await add());
  const hidden = await add();
  await hideDocument(app.ctx, hidden, 'operator');
  small = (await read('/sitemap.xml'))?.text;
  // The first of the second query, the last of the first file and the first of the second.
  for (const next of [5_001, 50_000, 50_001]) {
    await app.ctx.db.execute(sql`select setval(pg_get_serial_sequence('documents', 'id'), ${next}, false)`);
    published.push(await add());
  }
});
afterAll(() => app.close());

const read = async (path: string) => {
  const response = await serveSitemap(app.ctx, new Request(`https://ceku.test${path}`));
  return response && { text: await response.text(), type: response.headers.get('content-type') };
};
const locations = (text = '') => [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, location]) => location);

it('lists the documents and pages of a small library in one file', () => {
  const addresses = locations(small);
  expect(addresses.filter((address) => address?.includes('/detail/'))).toEqual([
    `https://ceku.test/detail/${published[0]}`,
  ]);
  expect(addresses).toContain('https://ceku.test/report');
  expect(small).toMatch(/^<\?xml .*<urlset .*<lastmod>\d{4}-\d\d-\d\d<\/lastmod><\/url><\/urlset>$/);
});

it('lists every published document once, in files of 50,000 ids that the index names', async () => {
  const parts = locations((await read('/sitemap.xml'))?.text);
  expect(parts).toEqual(['pages', 0, 1].map((part) => `https://ceku.test/sitemap-${part}.xml`));
  const files = await Promise.all([0, 1].map((part) => read(`/sitemap-${part}.xml`)));
  expect(files[0]?.type).toBe('application/xml; charset=utf-8');
  expect(files.map((file) => locations(file?.text))).toEqual([
    published.slice(0, 3).map((id) => `https://ceku.test/detail/${id}`),
    [`https://ceku.test/detail/${published[3]}`],
  ]);
  expect(files[0]?.text).toMatch(/^<\?xml .*<lastmod>\d{4}-\d\d-\d\d<\/lastmod><\/url>.*<\/urlset>$/);
  expect(await read('/sitemap-2.xml')).toBeNull();
  expect(await read('/sitemap-99999.xml')).toBeNull();
});

it('lists the pages of the themes and industries that have documents', async () => {
  const pages = locations((await read('/sitemap-pages.xml'))?.text);
  for (const path of ['/report', '/chart', '/collection', '/filetype/2', '/protocol', '/privacy', '/infringement'])
    expect(pages).toContain(`https://ceku.test${path}`);
  const { data } = await app.call(listThemes, {});
  const industries = await app.call(listIndustries, {});
  const idOf = (list: { id: number; name: string }[] | undefined, name = '') =>
    list?.find((each) => each.name === name)?.id;
  const [theme, unused] = [idOf(data?.data, THEMES[0]), idOf(data?.data, THEMES[1])];
  expect(pages).toContain(`https://ceku.test/report?theme_id=${theme}`);
  expect(pages).not.toContain(`https://ceku.test/report?theme_id=${unused}`);
  expect(pages).toContain(`https://ceku.test/report?industry_id=${idOf(industries.data?.data, INDUSTRIES[0])}`);
  expect(new Set(pages).size).toBe(pages.length);
});

it('tells robots what is not for them, and where the index is', async () => {
  const { text = '' } = (await read('/robots.txt')) ?? {};
  for (const path of ['/api/', '/dl/', '/user/']) expect(text).toContain(`Disallow: ${path}\n`);
  expect(text).toContain('Sitemap: https://ceku.test/sitemap.xml');
});
