import { sql } from 'drizzle-orm';
import { grantCoins, grantMembership } from '../../src/membership/server/grants.ts';
import { verifyLedger } from '../../src/membership/server/verify-ledger.ts';
import { rowsOf } from '../../src/platform/db/client.ts';
import { addPriced, inParallel } from './money-app.ts';
import { post, type HttpNodes, type Reply } from './http-nodes.ts';
import { COUPONS_A_DAY, LIMITS } from './spec.ts';

const PRICE = 5;
const DAY_MS = 86_400_000;
/** Pairs at once: as many as keep two nodes busy. */
const LANES = 8;

type RaceReport = { requests: number; problems: string[] };

/** Requests that come at the same moment to two nodes. Every function reports what was not as it has to be. */
export async function openRaces(nodes: HttpNodes) {
  const report: RaceReport = { requests: 0, problems: [] };
  const { ctx } = nodes.app;
  const documents = await addPriced(
    nodes.app,
    Array.from({ length: 400 }, () => PRICE),
  );
  const documentAt = (index: number) => documents[index % documents.length] ?? 0;

  const download = (node: number, token: string, fid: number): Promise<Reply> => {
    report.requests += 1;
    return post(nodes.origins[node % 2] ?? nodes.origins[0], '/api/doc/download', token, { fid });
  };
  const methodOf = ({ code, data }: Reply) => (code === 0 ? String(data['method']) : String(code));
  const expectAnswers = (what: string, replies: Reply[], allowed: string[]) => {
    const answers = replies.map(methodOf).toSorted().join(' ');
    if (!allowed.includes(answers)) report.problems.push(`${what}: ${answers}`);
  };

  return {
    report,

    /** Two clicks on one document, one at each node: one pays, the other finds the document owned. */
    async doubleClicks(pairs: number): Promise<void> {
      const perUser = documents.length;
      const buyers = await inParallel(Array.from({ length: Math.ceil(pairs / perUser) }), LANES, async (_, index) => {
        const user = await nodes.addUser();
        await grantCoins(ctx, { userId: user.id, coins: PRICE * perUser, reason: 'test' });
        // Every third has coupons for the first of them.
        if (index % 3 === 0) await grantMembership(ctx, { userId: user.id, tier: 1, days: 30, reason: 'test' });
        return user;
      });
      await inParallel(Array.from({ length: pairs }), LANES, async (_, pair) => {
        const token = buyers[Math.floor(pair / perUser)]?.token ?? '';
        const replies = await Promise.all([0, 1].map((node) => download(node, token, documentAt(pair))));
        expectAnswers('double click', replies, ['coin owned', 'coupon owned']);
      });
    },

    /** The coins for one document, and two documents at two nodes: one is paid, the other is refused with 31. */
    async lastCoins(rounds: number): Promise<void> {
      await inParallel(Array.from({ length: Math.ceil(rounds / 50) }), LANES, async (_, index) => {
        const { id, token } = await nodes.addUser();
        const times = Math.min(50, rounds - index * 50);
        for (let round = 0; round < times; round += 1) {
          await grantCoins(ctx, { userId: id, coins: PRICE, reason: 'test' });
          const two = [0, 1].map((node) => download(node, token, documentAt(2 * round + node)));
          expectAnswers('last coins', await Promise.all(two), ['31 coin']);
        }
      });
    },

    /**
     * A member with a few coupons left asks for many documents while a day ends in Shanghai, and a month with every other
     * midnight. Each of both periods may give what was left of it and no more.
     */
    async midnights(rounds: number): Promise<void> {
      for (let round = 0; round < rounds; round += 1) {
        const isMonthEnd = round % 2 === 1;
        const midnight = Date.parse(isMonthEnd ? '2027-05-01T00:00:00+08:00' : '2027-04-30T00:00:00+08:00');
        nodes.setClock(midnight - 10 * 60_000);
        const { id, token } = await nodes.addUser();
        await grantMembership(ctx, { userId: id, tier: 1, days: 30, reason: 'test' });
        const left = 1 + (round % 3);
        const usedBefore = isMonthEnd ? LIMITS.standard.downloads - left : 17;
        await useCoupons(id, midnight, usedBefore, isMonthEnd);
        // The clock passes midnight somewhere between these requests.
        nodes.setClock(midnight - 20);
        const replies = await Promise.all(
          Array.from({ length: 24 }, async (_, index) => {
            await new Promise((resolve) => setTimeout(resolve, index * 2));
            return download(index, token, documentAt(index));
          }),
        );
        await checkMidnight(id, midnight, replies, isMonthEnd ? left : COUPONS_A_DAY - usedBefore);
      }
      nodes.setClock(Date.now());
    },

    /** Adds the rules of the books that are broken. */
    async checkBooks(): Promise<void> {
      const { violations } = await verifyLedger(ctx);
      report.problems.push(...violations.map(({ rule, subject, detail }) => `${rule}: ${subject}: ${detail}`));
    },
  };

  /** The coupons that the member has used: at the month's end spread over its days, else on its last day alone. */
  async function useCoupons(userId: number, midnight: number, count: number, isMonthEnd: boolean): Promise<void> {
    const lastDay = new Date(midnight - DAY_MS / 2).toISOString();
    await ctx.db.execute(sql`
      with had as (
        select id as document_id, ${lastDay}::timestamptz
          - case when ${isMonthEnd} then (1 + (row_number() over (order by id) - 1) / ${COUPONS_A_DAY}) * interval '1 day' else interval '0' end as at
        from documents where id = any(${sql.param(documents.slice(-count))}::bigint[])
      ),
      entitled as (
        insert into entitlements (user_id, document_id, method, created_at)
        select ${userId}::bigint, document_id, 'coupon', at from had
      ),
      periods as (
        select 'coupon-day' as kind, to_char(at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as period from had
        union all select 'download-month', to_char(at at time zone 'Asia/Shanghai', 'YYYY-MM') from had
      )
      insert into quota_uses (user_id, kind, period, used)
      select ${userId}::bigint, kind, period, count(*) from periods group by kind, period`);
  }

  async function checkMidnight(userId: number, midnight: number, replies: Reply[], left: number): Promise<void> {
    const paid = await rowsOf<{ before: number; after: number }>(
      ctx.db,
      sql`select count(*) filter (where created_at < ${new Date(midnight).toISOString()}::timestamptz)::integer as before,
          count(*) filter (where created_at >= ${new Date(midnight).toISOString()}::timestamptz)::integer as after
        from entitlements where user_id = ${userId} and created_at >= ${new Date(midnight - 60_000).toISOString()}::timestamptz`,
    );
    const { before = -1, after = -1 } = paid[0] ?? {};
    const answers = replies.map(methodOf);
    const coupons = answers.filter((answer) => answer === 'coupon').length;
    if (coupons !== before + after) report.problems.push(`midnight: ${coupons} answers, ${before} + ${after} rows`);
    if (before > left || after > COUPONS_A_DAY)
      report.problems.push(`midnight: ${before} of ${left} before it, ${after} after it`);
    const refused = answers.filter((answer) => answer === '31' || answer === '33').length;
    if (coupons + refused !== answers.length) report.problems.push(`midnight: ${answers.join(' ')}`);
  }
}
