import pg from 'pg';
import { listInvites } from '../../src/invites/contract.ts';
import { listCoinRecords } from '../../src/membership/contract.ts';
import { listOrders } from '../../src/payment/contract.ts';
import { expectOk } from '../../src/protocol/call.ts';
import { myFavorite } from '../../src/shelf/contract.ts';
import { listCollection } from '../../src/shelf/contract-folders.ts';
import { listRecords, myDownload, myHistory } from '../../src/shelf/contract-history.ts';
import { addPerson } from '../../tests/people.ts';
import { addPublished } from '../../tests/published-document.ts';
import { openScratchDatabase } from '../../tests/scratch-database.ts';
import { openTestApp, type TestApp } from '../../tests/test-app.ts';
import { fillLists } from './fill-lists.ts';

const ROUNDS = 9;
/** Maximum time of a page in milliseconds. */
const MAX_MS = 100;

type Statement = { text: string; values: unknown[] };

/**
 * Fills the lists of one member with `rows` rows each, and prints how long the first and the last page of each list take, with the
 * plans of the statements of the last page. Ends with 1 when a page takes longer than 100 ms.
 */
export async function printLists({ rows, plans }: { rows: number; plans?: boolean }): Promise<void> {
  const scratch = await openScratchDatabase();
  const app = await openTestApp({ database: scratch.database });
  try {
    const person = await addPerson(app);
    const { id: documentId } = await addPublished(app);
    await fillLists(app.ctx.db, { userId: person.id, documentId, rows });
    const { token } = person;
    const lists: [name: string, pageSize: number, open: (page: number) => Promise<{ total: number }>][] = [
      ['favourites', 10, async (page) => expectOk(await app.call(myFavorite, { page }, token))],
      ['collection', 20, async (page) => expectOk(await app.call(listCollection, { page }, token))],
      ['reading history', 10, async (page) => expectOk(await app.call(myHistory, { page }, token))],
      ['reading history, cards', 20, async (page) => expectOk(await app.call(listRecords, { page }, token))],
      ['downloads', 10, async (page) => expectOk(await app.call(myDownload, { page }, token))],
      ['coin records', 10, async (page) => expectOk(await app.call(listCoinRecords, { page }, token))],
      ['orders', 10, async (page) => expectOk(await app.call(listOrders, { page, pageSize: 10 }, token))],
      ['invites', 10, async (page) => expectOk(await app.call(listInvites, { page }, token))],
    ];
    console.log(`\n${rows} rows of one member in each list, milliseconds (median of ${ROUNDS})\n`);
    console.log('| list | first page | last page |\n|---|---|---|');
    const statements: [string, Statement[]][] = [];
    for (const [name, pageSize, open] of lists) {
      const { total } = await open(1);
      if (total !== rows) throw new Error(`${name}: ${total} rows instead of ${rows}`);
      const last = Math.ceil(rows / pageSize);
      const [first, end] = [await medianMs(() => open(1)), await medianMs(() => open(last))];
      console.log(`| ${name} | ${first.toFixed(1)} | ${end.toFixed(1)} |`);
      if (Math.max(first, end) > MAX_MS) process.exitCode = 1;
      statements.push([name, await statementsOf(() => open(last))]);
    }
    if (plans) for (const [name, found] of statements) await printPlans(app, name, found);
  } finally {
    await app.close();
    await scratch.close();
  }
}

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return times.toSorted((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? 0;
}

/** Returns the statements that reach the database while `work` runs. */
async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const found: Statement[] = [];
  const { query } = pg.Client.prototype;
  // Safe: the replacement passes on whatever it is given; only statements with their values are noted.
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [config, values] = given as [{ text?: string; values?: unknown[] } | string, unknown[] | undefined];
    const text = typeof config === 'string' ? config : config.text;
    const own = typeof config === 'string' ? undefined : config.values;
    if (text && /^\s*(select|with)/i.test(text))
      found.push({ text, values: (Array.isArray(values) ? values : own) ?? [] });
    return Reflect.apply(query, this, given) as never;
  } as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return found;
}

async function printPlans(app: TestApp, name: string, statements: Statement[]): Promise<void> {
  const client = new pg.Client({ connectionString: app.databaseUrl });
  await client.connect();
  try {
    console.log(`\n## ${name}, last page`);
    for (const { text, values } of statements) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (analyze, buffers) ${text}`, values);
      console.log(`\n${text.replaceAll(/\s+/g, ' ').slice(0, 160)}`);
      for (const row of rows) console.log(`  ${row['QUERY PLAN']}`);
    }
  } finally {
    await client.end();
  }
}
