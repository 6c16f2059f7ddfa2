import { randomBytes } from 'node:crypto';
import { ProviderRefused, ProviderUnavailable } from '../../../accounts/ports.ts';
import { warningsOfPayment } from '../../../config.ts';
import type { Ctx } from '../../../context.ts';
import { createOutbound, NoResponseError } from '../../../platform/http/outbound.ts';
import { notifyPath } from '../../contract.ts';
import { CHANNELS, type PaymentGateway } from '../../ports.ts';
import { CHANNEL_NAME, subjectOf, tradeNumber } from '../../rules.ts';
import { readObject } from '../adapters/strict-json.ts';
import { siteUrlOf } from '../create-order.ts';
import { postAlert } from './case-alerts.ts';

/** One line of the self-test. `isRight` null: not configured, which may be meant so. */
type Check = { subject: string; isRight: boolean | null; detail: string };

/** How long the code of a trial can be scanned where the provider does not close it. Alipay closes none that nobody has scanned. */
const TRIAL_SECONDS = 300;

/**
 * Tries out what payment depends on: each provider is asked about an order that does not exist, which shows that it knows
 * our key and that its answer is signed by a key we hold, and for a code of one fen, which shows that our account may sell;
 * each notification address is asked for from here; NOTIFY_URL gets a test. Nothing changes here; the provider has one more
 * unpaid code, which is shown to nobody, and is closed or runs out.
 */
export async function testPayment(ctx: Ctx): Promise<Check[]> {
  const channels = CHANNELS.map(async (channel): Promise<Check[]> => {
    const gateway = ctx.gateways[channel];
    if (!gateway) return [{ subject: CHANNEL_NAME[channel], isRight: null, detail: 'is not configured' }];
    const [asked, reached] = await Promise.all([askProvider(ctx, gateway), reachAddress(ctx, gateway)]);
    return [...asked, reached];
  });
  return [...warnings(), ...(await Promise.all(channels)).flat(), await tellReceiver(ctx)];
}

/** A misspelt variable is not read, so what it should have set is missing; the others stop payment on a later day. */
const warnings = (): Check[] =>
  warningsOfPayment().map((line) => {
    const [subject = '', ...detail] = line.split(': ');
    return { subject, isRight: false, detail: detail.join(': ') };
  });

/** Nothing more is asked of a provider that refuses the first question. */
async function askProvider(ctx: Ctx, gateway: PaymentGateway): Promise<Check[]> {
  const subject = `${CHANNEL_NAME[gateway.channel]}, ${gateway.account}`;
  const key = await tried(subject, () => askForNothing(ctx, gateway));
  if (!key.isRight) return [key];
  const code = tried(subject, () => askForCode(ctx, gateway));
  const tryKey = gateway.tryNotificationKey;
  if (!tryKey) return [key, await code];
  return [
    key,
    ...(await Promise.all([code, tried(`${CHANNEL_NAME[gateway.channel]}, APIv3 key`, () => tellOf(tryKey))])),
  ];
}

type Verdict = Omit<Check, 'subject'>;

/** Runs one check; what the provider refuses, and no answer, are wrong. */
async function tried(subject: string, check: () => Promise<Verdict>): Promise<Check> {
  try {
    return { subject, ...(await check()) };
  } catch (error) {
    if (!(error instanceof ProviderRefused) && !(error instanceof ProviderUnavailable)) throw error;
    return { subject, isRight: false, detail: error.message };
  }
}

async function askForNothing(ctx: Ctx, gateway: PaymentGateway): Promise<Verdict> {
  const found = await gateway.findPayment(tradeNumber('T', ctx.clock.now(), randomBytes(10)));
  if (found.state === 'unknown') return { isRight: true, detail: 'takes our key, and signs with one we hold' };
  return { isRight: false, detail: `says "${found.state}" of an order that was never made` };
}

/** The number begins with T: no order has such a number, so what is told of it can never be taken for a payment. */
async function askForCode(ctx: Ctx, gateway: PaymentGateway): Promise<Verdict> {
  const outTradeNo = tradeNumber('T', ctx.clock.now(), randomBytes(10));
  const { state } = await gateway.createCode({
    outTradeNo,
    amountFen: 1,
    subject: subjectOf(ctx.config.site.name, '自检'),
    // The providers state whole seconds.
    expiresAt: new Date(Math.ceil(ctx.clock.now() / 1_000) * 1_000 + TRIAL_SECONDS * 1_000),
    notifyUrl: new URL(notifyPath(gateway.channel), siteUrlOf(ctx)).href,
  });
  if (state !== 'created') return { isRight: false, detail: `says "${state}" instead of making a code` };
  const isClosed = await gateway.close(outTradeNo).then(
    (outcome) => outcome === 'closed',
    () => false,
  );
  const end = isClosed ? 'and closes it' : `which runs out in ${TRIAL_SECONDS / 60} minutes`;
  return { isRight: true, detail: `makes a code for our account, ${end}` };
}

async function tellOf(tryKey: NonNullable<PaymentGateway['tryNotificationKey']>): Promise<Verdict> {
  return (await tryKey()) === 'right'
    ? { isRight: true, detail: "opens WeChat Pay's certificates" }
    : { isRight: null, detail: 'only the first notification shows whether it is right' };
}

/** The address answers other methods than POST with 405 in the envelope of this site. */
async function reachAddress(ctx: Ctx, { channel }: PaymentGateway): Promise<Check> {
  const { publicUrl } = ctx.config;
  const subject = `${publicUrl ?? ''}${notifyPath(channel)}`;
  if (publicUrl === null) return { subject, isRight: false, detail: 'there is no PUBLIC_URL' };
  const wrong = (why: string): Check => ({
    subject,
    isRight: false,
    detail: `is not reached from this machine: ${why}`,
  });
  try {
    const answer = await createOutbound(ctx.log)({ url: new URL(notifyPath(channel), publicUrl), method: 'GET' });
    if (answer.status === 405 && typeof readObject(answer.body)?.['code'] === 'number')
      return { subject, isRight: true, detail: 'is this site' };
    return wrong(`HTTP ${answer.status} of something else than this site`);
  } catch (error) {
    if (!(error instanceof NoResponseError)) throw error;
    return wrong(`no answer, or a redirect (${error.message})`);
  }
}

async function tellReceiver(ctx: Ctx): Promise<Check> {
  const subject = 'NOTIFY_URL';
  if (ctx.config.alertUrl === null)
    return { subject, isRight: null, detail: 'is not set: nobody is told of open cases' };
  const problem = await postAlert(ctx, []);
  return { subject, isRight: problem === null, detail: problem ?? 'took a test' };
}
