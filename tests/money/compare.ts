import { isDeepStrictEqual } from 'node:util';
import { sql } from 'drizzle-orm';
import type { Ctx } from '../../src/context.ts';
import { downloadDocument, quoteDownload } from '../../src/membership/server/download-document.ts';
import { getMine } from '../../src/membership/server/get-mine.ts';
import { grantMembership } from '../../src/membership/server/grants.ts';
import { LedgerConflict, OverdrawnAccount, postTransfer } from '../../src/membership/server/ledger.ts';
import { rowsOf } from '../../src/platform/db/client.ts';
import { openForReading } from '../../src/reading/server/whole/open-for-reading.ts';
import { openOriginal } from '../../src/reading/server/whole/open-original.ts';
import * as model from './model.ts';
import { addPriced, answerOf, type Answer, type MoneyApp } from './money-app.ts';
import { PRICES, type Agreement, type Moment, type Operation, type Sequence } from './sequences.ts';
import { COUPONS_A_DAY, LIMITS } from './spec.ts';

/** The calls that are compared. A test of the comparison puts a faulty one in their place. */
export type Verbs = {
  download: (
    ctx: Ctx,
    input: { fid: number; expect: model.Expected | undefined },
    meet: () => Promise<void>,
  ) => Promise<object>;
  read: (ctx: Ctx, documentId: number, meet: () => Promise<void>) => Promise<object>;
};

export const PRODUCT: Verbs = {
  download: (ctx, input) => downloadDocument(ctx, input),
  read: (ctx, documentId) => openForReading(ctx, documentId),
};

/** Documents that stand for those a user has had before: as many as the reads of the largest month. */
const MAX_OTHERS = 3_000;

export type Comparison = Awaited<ReturnType<typeof openComparison>>;

/**
 * Runs sequences in the product and in the model. All of them share the documents; each has a new user. Of one database
 * open one comparison after the other.
 */
export async function openComparison(money: MoneyApp, verbs: Verbs = PRODUCT) {
  const documents = await addPriced(money.app, PRICES);
  const ids = await addPriced(
    money.app,
    Array.from({ length: MAX_OTHERS }, () => 1),
  );
  const [others = 0] = ids;
  if (ids.at(-1) !== others + MAX_OTHERS - 1) throw new Error('The ids are no range: another comparison was opened.');
  return {
    /** Throws a Divergence at the first answer of the product that the model does not give. */
    async run({ startsAt, operations }: Sequence): Promise<void> {
      const run = new SequenceRun({ money, verbs, documents, others }, Date.parse(startsAt));
      await run.begin();
      for (const operation of operations) await run.take(operation);
      await run.compareRows();
    },
  };
}

export class Divergence extends Error {}

type World = { money: MoneyApp; verbs: Verbs; documents: number[]; others: number };
/** A call of the product beside its step of the model. */
type Call = { product: (meet: () => Promise<void>) => Promise<Answer>; step: model.Step };

class SequenceRun {
  userId = 0;
  facts: model.Model;
  lastCoins = { ref: '', coins: 1 };
  lastMembership: { ref: string; tier: 1 | 2; days: number } = { ref: '', tier: 1, days: 1 };
  usedOthers = 0;
  refs = 0;
  readonly world: World;

  constructor(world: World, startsAt: number) {
    this.world = world;
    this.facts = model.newModel(startsAt, PRICES);
  }

  get db() {
    return this.world.money.app.ctx.db;
  }
  get ctx() {
    return this.world.money.as(this.userId);
  }
  idOf(document: number): number {
    return this.world.documents[document] ?? 0;
  }

  async begin(): Promise<void> {
    this.moveTo(this.facts.now);
    this.userId = await this.world.money.addUser();
    await this.writeDocuments();
  }

  async take(operation: Operation): Promise<void> {
    switch (operation.does) {
      case 'wait':
        return this.compare(operation, () => this.moveTo(momentOf(this.facts, operation.until)));
      case 'use-up':
        return this.compare(operation, () => this.useUp(operation.quota, operation.left));
      case 'set-price':
      case 'set-state':
        return this.compare(operation, () => this.changeDocument(operation));
      default:
        return this.compareCalls(operation, this.callsOf(operation));
    }
  }

  async compare(operation: Operation, change: () => Promise<void> | void): Promise<void> {
    await change();
    this.check(operation, [await this.mine()], [model.mine(this.facts)]);
  }

  /**
   * Runs the calls at once. Their answers, and what the user then has, must be what the model answers when they come one
   * after the other, in one order or the other.
   */
  async compareCalls(operation: Operation, calls: Call[]): Promise<void> {
    const meet = meetingOf(calls.length);
    const answers = await Promise.all(calls.map(({ product }) => product(meet.arrive).finally(meet.leave)));
    const is = [...answers, await this.mine()];
    const orders = calls.length === 2 ? [calls, calls.toReversed()] : [calls];
    const outcomes = orders.map((order) => {
      const facts = structuredClone(this.facts);
      const answered = new Map(order.map((call) => [call, call.step(facts)]));
      return { facts, answers: [...calls.map((call) => answered.get(call) ?? {}), model.mine(facts)] };
    });
    const fitting = outcomes.find((outcome) => isDeepStrictEqual(outcome.answers, is));
    if (!fitting)
      throw divergence(
        operation,
        is,
        outcomes.map((outcome) => outcome.answers),
      );
    this.facts = fitting.facts;
  }

  callsOf(operation: Operation): Call[] {
    switch (operation.does) {
      case 'quote': {
        const { document } = operation;
        const fields = ['method', 'cost', 'balance', 'balance_after', 'code'];
        return [
          {
            product: () => answerOf(quoteDownload(this.ctx, { fid: this.idOf(document) }), fields),
            step: model.quote(document),
          },
        ];
      }
      case 'download':
        return [operation.document, ...(operation.and === null ? [] : [operation.and])].map((document) =>
          this.downloadOf(document, operation.agreesTo),
        );
      case 'read':
        return [operation.document, ...(operation.and === null ? [] : [operation.and])].map((document) => ({
          product: (meet) => answerOf(this.world.verbs.read(this.ctx, this.idOf(document), meet), ['right']),
          step: model.read(document),
        }));
      case 'original':
        return [operation.document, ...(operation.and === null ? [] : [operation.and])].map((document) =>
          this.originalOf(document, operation.agreesTo),
        );
      case 'grant-coins':
        return [this.coinsOf(operation)];
      case 'grant-membership':
        return [this.membershipOf(operation)];
      default:
        throw new Error(`no call: ${operation.does}`);
    }
  }

  downloadOf(document: number, agreesTo: Agreement): Call {
    const expected = expectedOf(agreesTo, model.quote(document)(structuredClone(this.facts)));
    return {
      product: async (meet) => {
        const call = this.world.verbs.download(this.ctx, { fid: this.idOf(document), expect: expected }, meet);
        return withoutMatter(await answerOf(call, ['method', 'cost', 'balance', 'is_vip']));
      },
      step: model.download(document, expected),
    };
  }

  originalOf(document: number, agreesTo: Agreement): Call {
    const expected = expectedOf(agreesTo, model.original(document)(structuredClone(this.facts)));
    return {
      product: async () => {
        const call = openOriginal(this.ctx, { fid: this.idOf(document), expect: expected });
        return withoutMatter(await answerOf(call, ['method', 'cost', 'balance']));
      },
      step: model.original(document, expected),
    };
  }

  coinsOf({ coins, ref }: Operation & { does: 'grant-coins' }): Call {
    const last = this.lastCoins;
    const isNew = ref === 'new' || last.ref === '';
    const wanted = isNew ? { ref: `${this.userId}/${(this.refs += 1)}`, coins } : last;
    const amount = ref === 'other' && !isNew ? wanted.coins + 1 || 1 : wanted.coins;
    const kind = wanted.coins > 0 ? 'grant' : 'reversal';
    this.lastCoins = wanted;
    return {
      product: () =>
        operatorAnswer(
          postTransfer(this.world.money.app.ctx, { userId: this.userId, amount, kind, ref: wanted.ref, note: 'test' }),
        ),
      step: model.grantCoins(wanted.ref, amount),
    };
  }

  membershipOf({ tier, days, ref }: Operation & { does: 'grant-membership' }): Call {
    const last = this.lastMembership;
    const isNew = ref === 'new' || last.ref === '';
    const wanted = isNew ? { ref: `${this.userId}/${(this.refs += 1)}`, tier, days } : last;
    const grant = ref === 'other' && !isNew ? { ...wanted, days: wanted.days + 1 } : wanted;
    this.lastMembership = wanted;
    return {
      product: async () => {
        const call = grantMembership(this.world.money.app.ctx, { ...grant, userId: this.userId, reason: 'test' });
        const { clocks: _clocks, ...answer } = await operatorAnswer(call);
        return answer;
      },
      step: model.grantMembership(grant.ref, grant.tier, grant.days),
    };
  }

  moveTo(now: number): void {
    this.facts.now = now;
    this.world.money.time.now = now;
  }

  /** Brings a quota to `left`, with the downloads or reads that used it, as far as the calendar allows. */
  async useUp(quota: 'day' | 'month' | 'reads', left: number): Promise<void> {
    const membership = model.membershipOf(this.facts);
    if (membership === 'none') return;
    const limits = LIMITS[membership];
    if (quota === 'reads') return this.addReads(limits.reads - left - model.readsCounted(this.facts));
    const monthLeft = limits.downloads - model.usedThisMonth(this.facts);
    if (quota === 'day')
      return this.addCoupons([
        [model.dayOf(this.facts.now), Math.min(COUPONS_A_DAY - model.usedToday(this.facts), monthLeft) - left],
      ]);
    let missing = monthLeft - left;
    const today = model.dayOf(this.facts.now);
    const days = Array.from(
      { length: Number(today.slice(8)) - 1 },
      (_, index) => `${today.slice(0, 8)}${String(index + 1).padStart(2, '0')}`,
    );
    const shares = days.map((day): [string, number] => {
      const count = Math.max(Math.min(COUPONS_A_DAY - (this.facts.couponsByDay[day] ?? 0), missing), 0);
      missing -= count;
      return [day, count];
    });
    if (missing <= 0) await this.addCoupons(shares);
  }

  async addCoupons(shares: [string, number][]): Promise<void> {
    const days = shares.flatMap(([day, count]) => Array.from({ length: Math.max(count, 0) }, () => day));
    if (days.length === 0 || this.usedOthers + days.length > MAX_OTHERS) return;
    const first = this.world.others + this.usedOthers;
    this.usedOthers += days.length;
    await this.db.execute(sql`
      with had as (
        select ${first}::bigint + place - 1 as document_id, day
        from unnest(${sql.param(days)}::text[]) with ordinality as used (day, place)
      ),
      entitled as (
        insert into entitlements (user_id, document_id, method, created_at)
        select ${this.userId}, document_id, 'coupon', (day || 'T00:00:00+08:00')::timestamptz from had
      )
      insert into quota_uses (user_id, kind, period, used)
      select ${this.userId}::bigint, 'coupon-day', day, count(*) from had group by day
      union all select ${this.userId}::bigint, 'download-month', left(day, 7), count(*) from had group by left(day, 7)
      on conflict (user_id, kind, period) do update set used = quota_uses.used + excluded.used`);
    for (const day of days) model.addCoupons(this.facts, day, 1);
  }

  async addReads(count: number): Promise<void> {
    const month = model.monthOf(this.facts.now);
    const before = this.facts.reads[month]?.others ?? 0;
    if (count <= 0 || before + count > MAX_OTHERS) return;
    const first = this.world.others + before;
    await this.db.execute(sql`
      with had as (
        insert into member_reads (user_id, document_id, month)
        select ${this.userId}, id, ${month} from generate_series(${first}::bigint, ${first + count - 1}::bigint) as id
      )
      insert into quota_uses (user_id, kind, period, used) values (${this.userId}, 'read-month', ${month}, ${count})
      on conflict (user_id, kind, period) do update set used = quota_uses.used + excluded.used`);
    const reads = (this.facts.reads[month] ??= { documents: [], others: 0 });
    reads.others += count;
  }

  async changeDocument(operation: Operation & { does: 'set-price' | 'set-state' }): Promise<void> {
    const document = this.facts.documents[operation.document];
    if (!document) return;
    if (operation.does === 'set-price') document.priceCoins = operation.priceCoins;
    else document.state = operation.state;
    await this.writeDocuments();
  }

  /** Brings the documents to what the model says of them. */
  async writeDocuments(): Promise<void> {
    const wanted = this.facts.documents.map(({ priceCoins, state }, index) => ({
      id: this.idOf(index),
      price: priceCoins,
      state: state === 'published' ? state : 'hidden',
      reason: { published: null, hidden: 'operator', 'taken-down': 'copyright' }[state],
    }));
    await this.db.execute(sql`
      update documents d set price_coins = w.price, state = w.state, hidden_reason = w.reason
      from json_to_recordset(${JSON.stringify(wanted)}::json) as w (id bigint, price integer, state text, reason text)
      where d.id = w.id and (d.price_coins, d.state, d.hidden_reason) is distinct from (w.price, w.state, w.reason)`);
  }

  mine(): Promise<Answer> {
    return answerOf(getMine(this.ctx), Object.keys(model.mine(this.facts)));
  }

  check(operation: Operation, is: Answer[], wanted: Answer[]): void {
    if (!isDeepStrictEqual(is, wanted)) throw divergence(operation, is, [wanted]);
  }

  /** Compares what stands in the tables at the end. */
  async compareRows(): Promise<void> {
    const rows = await rowsOf<{ id: number; method: string; coins: number }>(
      this.db,
      sql`select document_id as id, method, coins from entitlements where user_id = ${this.userId}
        and document_id = any(${sql.param(this.world.documents)}::bigint[]) order by document_id`,
    );
    const owned = Object.entries(this.facts.owned).map(([document, paid]) => ({
      id: this.idOf(Number(document)),
      ...paid,
    }));
    const ledger = await rowsOf<{ amount: number }>(
      this.db,
      sql`select amount from ledger_entries where user_id = ${this.userId} order by id`,
    );
    const is = { owned: rows, ledger: ledger.map(({ amount }) => Number(amount)) };
    const wanted = { owned: owned.toSorted((one, other) => one.id - other.id), ledger: this.facts.ledger };
    if (!isDeepStrictEqual(is, wanted)) throw divergence('the rows at the end', [is], [[wanted]]);
  }
}

function divergence(operation: Operation | string, is: Answer[], wanted: Answer[][]): Divergence {
  return new Divergence(JSON.stringify({ operation, is, wanted }, null, 1));
}

function momentOf({ now, standardEnd, advancedEnd }: model.Model, until: Moment): number {
  const end = [standardEnd, advancedEnd].find((at) => at !== null && at > now) ?? now;
  // A session of tests that lives for a century would leave the years of four digits.
  const nearEnd = Math.min(end, now + 400 * model.DAY_MS);
  return {
    'a minute': now + 60_000,
    'an hour': now + 3_600_000,
    'a day': now + model.DAY_MS,
    'ten days': now + 10 * model.DAY_MS,
    'before midnight': Math.max(model.nextMidnight(now) - 1, now),
    midnight: model.nextMidnight(now),
    'before the month': Math.max(model.nextMonth(now) - 1, now),
    'the month': model.nextMonth(now),
    'before the membership ends': Math.max(nearEnd - 1, now),
    'the membership ends': nearEnd,
  }[until];
}

function expectedOf(agreesTo: Agreement, quoted: Answer): model.Expected | undefined {
  if (agreesTo === 'anything') return undefined;
  const method = typeof quoted['method'] === 'string' ? quoted['method'] : 'coin';
  const charge = { method, cost: Number(quoted['cost'] ?? 0) };
  return agreesTo === 'quoted' ? charge : { ...charge, cost: charge.cost + 1 };
}

/** Refusals that do not speak of money say nothing but their code to the model. */
const withoutMatter = (answer: Answer): Answer =>
  [4, 50, 60].includes(Number(answer['code'])) ? { code: answer['code'] } : answer;

/** Returns the answer of an operator's call, or the name of its refusal. */
function operatorAnswer(call: Promise<object>): Promise<Answer> {
  return call.then(
    (answer) => ({ code: 0, ...answer }),
    (error: unknown) => {
      if (error instanceof LedgerConflict) return { code: 'conflict' };
      if (error instanceof OverdrawnAccount) return { code: 'overdrawn' };
      throw error;
    },
  );
}

/** Holds each of `count` calls that arrive until all others have arrived or ended. */
function meetingOf(count: number) {
  let missing = count;
  let open = () => {};
  const isOpen = new Promise<void>((resolve) => (open = resolve));
  const arrived = () => {
    missing -= 1;
    if (missing <= 0) open();
  };
  return {
    arrive: () => {
      arrived();
      return isOpen;
    },
    leave: arrived,
  };
}
