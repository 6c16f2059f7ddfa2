import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { smallPdf } from '../../../../tests/small-pdf.ts';
import { createIngestPool, MAX_DECKS, type DeckOrder } from './converter-pool.ts';
import { deckOf } from '../../../../tests/samples/deck.ts';
import { pdfOf } from '../../../../tests/samples/pdf.ts';
import { countOwnPdfPages } from './own-pdf.ts';
import { findConverter } from './soffice.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ceku-pool-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function workDir(name: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path);
  return path;
}

async function deck(name: string, bytes: Uint8Array, slides: number | null): Promise<DeckOrder> {
  const path = join(folder, `${name}.pptx`);
  await writeFile(path, bytes);
  return { path, fileType: 'pptx', workDir: await workDir(name), slides, bytes: bytes.length, signal: undefined };
}

const titled = (...titles: string[]) => deckOf({ slides: titles.map((title) => ({ title })) });

describe.skipIf(findConverter() === null)('decks for LibreOffice', { timeout: 90_000 }, () => {
  test('that wait together are converted in one batch; a bad deck does not affect the others', async () => {
    const pool = createIngestPool(1);
    const orders = [
      await deck('one', titled('一'), 1),
      await deck('bad', Buffer.from('rubbish'), null),
      await deck('two', titled('二', '三'), 2),
    ];
    const [one, bad, two] = await Promise.allSettled(orders.map((order) => pool.toPdf(order)));
    expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'not-loadable' } });
    expect(one).toMatchObject({ status: 'fulfilled', value: { pdf: join(folder, 'one', 'deck.pdf') } });
    expect(two?.status === 'fulfilled' && (await countOwnPdfPages(two.value.pdf))).toBe(2);
    expect(one?.status === 'fulfilled' && one.value.batch).toBe(3);
    expect(await readdir(join(folder, 'bad'))).toEqual([]);
  });

  test('a deck whose PDF has another number of pages than slides is converted once more alone, and then accepted', async () => {
    const pool = createIngestPool(1);
    // Both are written before the first is ordered: a batch waits only a moment for a second deck.
    const orders = [await deck('wrong', titled('一'), 7), await deck('right', titled('一'), 1)] as const;
    const [wrong, right] = await Promise.all([pool.toPdf(orders[0]), pool.toPdf(orders[1])]);
    expect([wrong.batch, right.batch]).toEqual([1, 2]);
  });

  test('decks that a batch did not convert go back into the queue, behind other work', async () => {
    const pool = createIngestPool(1);
    const ends: string[] = [];
    // The decks fill a batch, which then begins at once. The good decks are converted in it.
    const names = Array.from({ length: MAX_DECKS - 2 }, (_, index) => `g${index + 1}`);
    const good = await Promise.all(names.map((name) => deck(name, titled(name), 1)));
    const bad = await Promise.all(['b1', 'b2'].map((name) => deck(name, Buffer.from(`rubbish ${name}`), null)));
    const begun = [
      ...good.map((order) => pool.toPdf(order)),
      ...bad.map((order, index) => pool.toPdf(order).catch(() => ends.push(`b${index + 1}`))),
    ];
    await pool.run(async () => void ends.push('other'));
    await Promise.all(begun);
    expect(ends[0]).toBe('other');
    expect(ends.slice(1).toSorted()).toEqual(['b1', 'b2']);
  });

  test('that a batch did not convert have not begun while they wait for a turn alone', async () => {
    const pool = createIngestPool(1);
    const seen: string[] = [];
    const rubbish = async (name: string) => ({
      ...(await deck(name, Buffer.from(`rubbish ${name}`), null)),
      hooks: {
        onBegun: async () => void seen.push(`${name} begins`),
        onEnded: async () => void seen.push(`${name} ends`),
      },
    });
    const orders = [await rubbish('a'), await rubbish('b')];
    const results = await Promise.allSettled(orders.map((order) => pool.toPdf(order)));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const together = ['a begins', 'b begins', 'a ends', 'b ends'];
    expect(seen).toEqual([...together, 'a begins', 'a ends', 'b begins', 'b ends']);
  });

  test('that wait for two free children are shared between them', async () => {
    const pool = createIngestPool(2);
    const orders = await Promise.all(['a', 'b', 'c', 'd'].map((name) => deck(name, titled(name), 1)));
    const made = await Promise.all(orders.map((order) => pool.toPdf(order)));
    expect(made.map(({ batch }) => batch)).toEqual([2, 2, 2, 2]);
  });

  test('that a batch did not convert are shared with a child that became free meanwhile', async () => {
    const pool = createIngestPool(2);
    let atWork = 0;
    let most = 0;
    /** Counts the decks that are at work alone: in their second turn. */
    const countAlone = () => {
      let turn = 0;
      return {
        onBegun: async () => void (++turn === 2 && (most = Math.max(most, ++atWork))),
        onEnded: async () => void (turn === 2 && atWork--),
      };
    };
    const titles = Array.from({ length: 100 }, (_, index) => `${index + 1}`);
    const long = await deck('long', titled(...titles), titles.length);
    const bad = await Promise.all(['b1', 'b2'].map((name) => deck(name, Buffer.from(`rubbish ${name}`), null)));
    const short = await Promise.all(['s1', 's2', 's3'].map((name) => deck(name, titled(name), 1)));
    // Two batches of three decks; the second ends long before the first.
    const orders = [long, ...bad.map((order) => ({ ...order, hooks: countAlone() })), ...short];
    await Promise.allSettled(orders.map((order) => pool.toPdf(order)));
    expect(most).toBe(2);
  });

  test('without a temporary folder every deck is rejected, and the pool keeps working', async () => {
    const pool = createIngestPool(1);
    const orders = [await deck('one', titled('一'), 1), await deck('two', titled('二'), 1)];
    const lost = { ...(await deck('lost', titled('三'), 1)), workDir: join(folder, 'missing') };
    const temporary = process.env['TMPDIR'];
    process.env['TMPDIR'] = join(folder, 'missing');
    try {
      const results = await Promise.allSettled([...orders, lost].map((order) => pool.toPdf(order)));
      expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected', 'rejected']);
    } finally {
      process.env['TMPDIR'] = temporary;
    }
    const again = await Promise.allSettled([...orders, lost].map((order) => pool.toPdf(order)));
    expect(again.map((result) => result.status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  });

  test('an aborted deck does not affect the others', async () => {
    const pool = createIngestPool(1);
    const called = { ...(await deck('off', titled('一'), 1)), signal: AbortSignal.abort(new Error('stop')) };
    const [off, on] = await Promise.allSettled([pool.toPdf(called), pool.toPdf(await deck('on', titled('二'), 1))]);
    expect(off).toMatchObject({ status: 'rejected', reason: { message: 'stop' } });
    expect(on?.status).toBe('fulfilled');
  });
});

describe('the warm renderer', { timeout: 60_000 }, () => {
  const render = async (pool: ReturnType<typeof createIngestPool>, name: string, bytes: Uint8Array) => {
    const pdf = join(folder, `${name}.pdf`);
    await writeFile(pdf, bytes);
    return pool.render({ pdf, workDir: await workDir(name), previewPages: 10, effort: 0, isUploaded: false });
  };

  test('draws one document after the other, also after refused and hanging documents', async () => {
    const pool = createIngestPool(1, { pageMs: 2_000 });
    const hang = Array.from({ length: 1_500_000 }, (_, at) => `${at % 960} 0 m ${(at * 7) % 960} 540 l S`).join('\n');
    const results = await Promise.allSettled([
      render(pool, 'first', smallPdf('First', 2)),
      render(pool, 'rubbish', Buffer.from('%PDF-1.4 rubbish')),
      render(pool, 'hanging', pdfOf({ pages: [{ content: hang }] })),
      render(pool, 'last', smallPdf('Last', 1)),
    ]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { code: 'corrupt' } });
    expect(results[2]).toMatchObject({ reason: { code: 'render-timeout' } });
    const last = results[3];
    expect(last?.status === 'fulfilled' && last.value.pages[0]?.text).toBe('Last 1');
    expect(last?.status === 'fulfilled' && last.value.words[0]?.map(([word]) => word)).toEqual(['Last', '1']);
  });

  test('never runs more children at once than its size', async () => {
    const pool = createIngestPool(2);
    let atWork = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 7 }, () =>
        pool.run(async () => {
          most = Math.max(most, ++atWork);
          await new Promise((resolve) => setTimeout(resolve, 20));
          atWork--;
        }),
      ),
    );
    expect(most).toBe(2);
  });
});
