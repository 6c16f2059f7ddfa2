import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Command } from 'commander';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { runCommandLine } from '../../platform/command-line.ts';
import { expectOk } from '../../protocol/call.ts';
import { listPrices } from '../contract.ts';
import { priceCommands } from './commands.ts';
import { formatPriceList } from './price-list.ts';
import { findPriceList, setPriceList } from './prices.ts';
import { priceItems } from './tables.ts';

let app: TestApp;
let exported: string;
beforeAll(async () => {
  app = await openTestApp();
  exported = formatPriceList(await findPriceList(app.ctx));
});
afterAll(() => app.close());

/** Runs `ceku …` against the app and returns its exit code and what it printed. */
async function ceku(...line: string[]): Promise<{ code: number; out: string; err: string }> {
  const written = { out: '', err: '' };
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((written.out += String(text))));
  const err = vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((written.err += String(text))));
  try {
    const program = new Command('ceku');
    priceCommands(program, (work) => work(app.ctx));
    return { code: await runCommandLine(program, line), ...written };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

const fileOf = async (text: string): Promise<string> => {
  const file = join(app.dataDir, 'prices.yaml');
  await writeFile(file, text);
  return file;
};
const prices = async () => expectOk(await app.call(listPrices, {}));

describe('ceku price', () => {
  beforeEach(async () => {
    await ceku('price', 'set', await fileOf(exported), '--yes');
  });

  it('exports what set reads: nothing changes', async () => {
    const { code, out } = await ceku('price', 'export');
    expect(code).toBe(0);
    expect(await ceku('price', 'set', await fileOf(out))).toEqual({ code: 0, out: 'Nothing changes.\n', err: '' });
  });

  it('shows a difference, and changes prices with --yes alone', async () => {
    const file = await fileOf(exported.replace('price: 198\n', 'price: 188.5\n'));
    const change = '~ items: 标准VIP · 12个月 (id 1): price ¥198.00 → ¥188.50';
    expect(await ceku('price', 'set', file)).toEqual({
      code: 0,
      out: `${change}\nNothing changed yet. Add --yes to change it.\n`,
      err: '',
    });
    expect((await prices()).items[0]?.price).toBe(198);
    expect(JSON.parse((await ceku('price', 'set', file, '--yes', '--json')).out)).toEqual({
      changes: [change],
      changed: true,
    });
    expect((await prices()).items[0]).toMatchObject({ id: 1, price: 188.5, org_price: 399 });
    expect((await ceku('price', 'list')).out).toContain('1  标准VIP · 12个月, tier 1, 365 days, ¥188.50 (was ¥399.00)');
  });

  it('adds, moves and withdraws items, and keeps the row of an item that is off sale', async () => {
    const before = await prices();
    const [smallest, second] = before.miao;
    if (!smallest || !second) throw new Error('The list has coin packs.');
    const list = await findPriceList(app.ctx);
    const [, packB, ...rest] = list.miao;
    if (!packB) throw new Error('The list has coin packs.');
    const added = {
      ...packB,
      id: null,
      description: '5000 喵币',
      coins: 5_000,
      priceFen: 30_000,
      originalPriceFen: 50_000,
    };
    await setPriceList(app.ctx, { ...list, miao: [added, ...rest, packB] });
    expect((await prices()).miao.map(({ coins }) => coins)).toEqual([5_000, 600, 1_300, 330]);
    const rows = await app.ctx.db.select().from(priceItems);
    expect(rows.find(({ id }) => id === smallest.id)).toMatchObject({ isOnSale: false, coins: 100, priceFen: 1_000 });
    await setPriceList(app.ctx, list);
    expect(await prices()).toEqual(before);
  });

  it('applies parallel lists one after another: the list on sale is one of them', async () => {
    const list = await findPriceList(app.ctx);
    const priced = (fen: number) => ({
      ...list,
      miao: list.miao.map((item) => ({ ...item, priceFen: fen, originalPriceFen: fen })),
    });
    await Promise.all([101, 102, 103, 104, 105].map((fen) => setPriceList(app.ctx, priced(fen))));
    expect(new Set((await prices()).miao.map(({ price }) => price)).size).toBe(1);
    expect((await prices()).miao).toHaveLength(list.miao.length);
  });

  it.each([
    [['price', 'set', '/no/such/file'], 65, /cannot be read/],
    [['price', 'set'], 2, /missing required argument/],
    [['price', 'nonsense'], 2, /unknown command/],
  ])('%j ends with %i', async (line, code, words) => {
    const ended = await ceku(...line);
    expect(ended).toMatchObject({ code, out: '' });
    expect(ended.err).toMatch(words);
    expect(ended.err).not.toContain('    at ');
  });

  it('names standard input when the list comes from there', async () => {
    // Safe: the command reads it as a stream alone.
    const list = Readable.from(['{']) as unknown as typeof process.stdin;
    const stdin = vi.spyOn(process, 'stdin', 'get').mockReturnValue(list);
    const ended = await ceku('price', 'set', '-');
    stdin.mockRestore();
    expect(ended).toMatchObject({ code: 65, err: expect.stringContaining('Standard input is no price list.') });
  });

  it.each([
    [(text: string) => text.replace('price: 198\n', 'price: lots\n'), /line \d+: items\[0\]\.price must be yuan/],
    [(text: string) => text.replace('id: 6', 'id: 4444'), /miao\[0\]\.id 4444 is not an item of miao/],
    [(text: string) => text.replace('- id: 1\n', '- id: 9999\n'), /items\[0\]\.id 9999 is not an item of items/],
    [() => '{', /is no price list/],
  ])('refuses a wrong file and changes nothing: %#', async (edit, words) => {
    const before = await prices();
    const ended = await ceku('price', 'set', await fileOf(edit(exported)), '--yes');
    expect(ended).toMatchObject({ code: 65, out: '' });
    expect(ended.err).toMatch(words);
    expect(await prices()).toEqual(before);
  });
});
