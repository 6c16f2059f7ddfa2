// Rounds of one payment that many tell of at once: notifications, polls, the job and the operator; and late payments of orders
// that are closed. Run: npx node tests/money/run-payments.ts [--rounds 10000] [--copies 50] [--late 1000]
import { parseArgs } from 'node:util';
import { checkOrderByPlan } from '../../src/payment/server/check-order.ts';
import { settleOrder } from '../../src/payment/server/settle-order.ts';
import { verifyOrders } from '../../src/payment/server/operator/verify-orders.ts';
import { verifyLedger } from '../../src/membership/server/verify-ledger.ts';
import { openPayingApp } from '../paying.ts';
import type { Person } from '../people.ts';
import { openScratchDatabase } from '../scratch-database.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10000' },
    copies: { type: 'string', default: '50' },
    late: { type: 'string', default: '1000' },
  },
});
const [rounds, copies, late] = [Number(values.rounds), Number(values.copies), Number(values.late)];
const USERS = 50;
const startedAt = Date.now();
const problems: string[] = [];
const counts = { rounds: 0, told: 0, late: 0, notAcknowledged: 0 };

const scratch = await openScratchDatabase();
try {
  const paying = await openPayingApp({ database: scratch.database });
  const { app, pack, year } = paying;
  try {
    const buyers: Person[] = [];
    for (let index = 0; index < USERS; index += 1) buyers.push(await paying.addBuyer());
    for (let round = 0; round < rounds; round += 1) {
      const buyer = buyers[round % USERS];
      if (!buyer) break;
      const channel = round % 2 === 0 ? 'wechat' : 'alipay';
      const no = await paying.order(buyer.token, round % 3 === 0 ? year.id : pack.id, channel);
      const payment = paying[channel].pay(no);
      const notifications = Array.from({ length: copies }, () => paying.notify(channel, payment, { id: no }));
      const others = [
        paying.tradeStateOf(buyer.token, no),
        checkOrderByPlan(app.ctx, { outTradeNo: no }),
        settleOrder(app.ctx, channel, payment),
      ];
      const answers = await Promise.all(notifications);
      await Promise.all(others);
      counts.rounds += 1;
      counts.told += copies + others.length;
      counts.notAcknowledged += answers.filter(({ status }) => status !== 200).length;
      if ((await paying.statusOf(no)) !== 'fulfilled') problems.push(`${no} is ${await paying.statusOf(no)}`);
    }
    for (let round = 0; round < late; round += 1) {
      const buyer = buyers[round % USERS];
      if (!buyer) break;
      const no = await paying.order(buyer.token, pack.id);
      app.clock.offsetMs += 1_801_000;
      await checkOrderByPlan(app.ctx, { outTradeNo: no });
      const closed = await paying.statusOf(no);
      await paying.notify('wechat', paying.wechat.pay(no));
      const after = await paying.statusOf(no);
      if (closed !== 'closed' || after !== 'fulfilled') problems.push(`${no} was ${closed} and is ${after}`);
      counts.late += 1;
    }
    const violations = [...(await verifyOrders(app.ctx)).violations, ...(await verifyLedger(app.ctx)).violations];
    problems.push(...violations.map(({ rule, subject, detail }) => `${rule}: ${subject}: ${detail}`));
  } finally {
    await app.close();
  }
} finally {
  await scratch.close();
}
const seconds = Math.round((Date.now() - startedAt) / 1000);
console.log(
  JSON.stringify({
    suite: 'payments',
    ...counts,
    seconds,
    violations: problems.length,
    problems: problems.slice(0, 20),
  }),
);
process.exitCode = problems.length > 0 || counts.notAcknowledged > 0 ? 1 : 0;
