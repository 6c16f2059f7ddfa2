import type { Ctx, TransactionCtx } from '../../../context.ts';
import { createOutbound, NoResponseError } from '../../../platform/http/outbound.ts';
import type { JobAttempt } from '../../../platform/jobs/jobs.ts';
import { JobPostponed } from '../../../platform/jobs/postpone.ts';
import { isObject } from '../adapters/strict-json.ts';
import { tellCasesJob } from '../job-notices.ts';
import { selectLastToldAt, selectUntoldAlerts, updateAlertsTold, upsertAlert } from '../store/alerts.ts';
import type { CaseKind } from '../tables.ts';

/** Bots of chat groups take 20 messages a minute; cases that come together are one message. */
const GAP_MS = 60_000;
const MAX_CASES = 200;
/** A message of a 企业微信 bot has at most 2,048 bytes. */
const MAX_CASES_IN_TEXT = 10;
const MAX_ANSWER_BYTES = 65_536;

/** The key of the one job: cases that wait for the same message share it. */
const JOB_KEY = 'payment-tell-cases';

const WHAT: Record<CaseKind, string> = {
  'put-aside': 'a payment that does not fit its order was put aside',
  'refund-failed': 'a refund failed',
  'refund-slow': 'a refund is not finished after a day',
  difference: 'the provider and the site disagree about a payment',
  'unknown-number': 'a payment for a number that is not known here',
  'invoice-requested': 'a buyer asked for an invoice',
  'invoice-to-void': 'an order was refunded whose invoice was issued',
};

/** Enqueues the alert of a case in the caller's transaction; does nothing without NOTIFY_URL. */
export async function raiseCase(ctx: TransactionCtx, kind: CaseKind, outTradeNo: string): Promise<void> {
  if (ctx.config.alertUrl === null) return;
  await upsertAlert(ctx.db, kind, outTradeNo, new Date(ctx.clock.now()));
  await ctx.jobs.add(tellCasesJob, {}, { key: JOB_KEY });
}

/** Enqueues the job again when alerts are left that its attempts could not deliver; once a day. */
export async function retryAlerts(ctx: Ctx): Promise<void> {
  if (ctx.config.alertUrl === null || (await selectUntoldAlerts(ctx.db, 1)).length === 0) return;
  await ctx.jobs.add(tellCasesJob, {}, { key: JOB_KEY, isKept: true });
}

/**
 * Tells NOTIFY_URL of the cases that nobody was told of; the handler of the job. At least once: a process that dies between
 * the answer and the mark tells the same cases again. At most once a minute. Throws when the receiver does not take it.
 */
export async function tellCases(ctx: Ctx, attempt: Pick<JobAttempt, 'isLast'>): Promise<void> {
  if (ctx.config.alertUrl === null) return;
  const alerts = await selectUntoldAlerts(ctx.db, MAX_CASES);
  if (alerts.length === 0) return;
  const waitMs = ((await selectLastToldAt(ctx.db))?.getTime() ?? 0) + GAP_MS - ctx.clock.now();
  if (waitMs > 0) throw new JobPostponed('cases are told once a minute', Math.ceil(waitMs / 1_000));
  const problem = await postAlert(ctx, alerts);
  if (problem !== null) {
    if (attempt.isLast)
      ctx.log.error({ cases: alerts.length, problem }, 'NOTIFY_URL took nothing: tried again tomorrow morning');
    throw new Error(`NOTIFY_URL: ${problem}`);
  }
  await updateAlertsTold(ctx.db, alerts, new Date(ctx.clock.now()));
  ctx.log.info({ cases: alerts.length }, 'NOTIFY_URL was told of cases');
  if (alerts.length === MAX_CASES) await ctx.jobs.add(tellCasesJob, {}, { key: JOB_KEY });
}

/**
 * Sends one alert and returns why the receiver did not take it; null when it did. Without cases it is a test. It holds
 * numbers of orders and constant words: no amount, no user, no name of a payer.
 */
export async function postAlert(
  ctx: Pick<Ctx, 'config' | 'log'>,
  alerts: readonly { kind: CaseKind; outTradeNo: string }[],
): Promise<string | null> {
  const { alertUrl, publicUrl, site } = ctx.config;
  if (alertUrl === null) return 'is not set';
  const cases = alerts.map(({ kind, outTradeNo }) => ({
    order: outTradeNo,
    kind,
    what: WHAT[kind],
    command: `ceku order show ${outTradeNo}`,
  }));
  const text = textOf(publicUrl ?? site.name, cases);
  const event = cases.length > 0 ? 'payment.cases' : 'test';
  // The last four fields are a text message of the bots of 企业微信 and 钉钉, and of 飞书.
  const message = { msgtype: 'text', text: { content: text }, msg_type: 'text', content: { text } };
  try {
    const { status, body } = await createOutbound(ctx.log)({
      url: new URL(alertUrl),
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ event, site: publicUrl, cases, ...message }),
      maxBytes: MAX_ANSWER_BYTES,
      isPathSecret: true,
    });
    if (status < 200 || status > 299) return `the receiver answered HTTP ${status}`;
    return refusalIn(body);
  } catch (error) {
    if (!(error instanceof NoResponseError)) throw error;
    return `no answer (${error.message})`;
  }
}

function textOf(where: string, cases: readonly { order: string; what: string }[]): string {
  if (cases.length === 0) return `${where}: test of NOTIFY_URL. Cases of payment that wait for a person are told here.`;
  const lines = cases.slice(0, MAX_CASES_IN_TEXT).map(({ order, what }) => `${order.slice(0, 64)}: ${what}`);
  const rest = cases.length - lines.length;
  return [
    `${where}: ${cases.length} ${cases.length === 1 ? 'payment waits' : 'payments wait'} for a person.`,
    ...lines,
    ...(rest > 0 ? [`and ${rest} more`] : []),
    'ceku order report lists all open cases.',
  ].join('\n');
}

/** Bots always answer 200; a code other than 0 in the body means that the message was not taken. */
function refusalIn(body: Buffer): string | null {
  let answer: unknown;
  try {
    answer = JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
  if (!isObject(answer)) return null;
  const [name, number] =
    typeof answer['errcode'] === 'number' ? ['errcode', answer['errcode']] : ['code', answer['code']];
  return typeof number === 'number' && number !== 0 ? `the receiver answered ${name} ${number}` : null;
}
