import { randomInt, timingSafeEqual } from 'node:crypto';
import { type Ctx, transact, type TransactionCtx } from '../../../context.ts';
import { addressGroup, addressNetwork } from '../../../protocol/address-group.ts';
import { CODE } from '../../../protocol/codes.ts';
import type { Output, Parsed } from '../../../protocol/endpoint.ts';
import { CodedAnswer, invalid, tooFrequent, unavailable, type Refusal } from '../../../protocol/envelope.ts';
import type * as contract from '../../contract.ts';
import { SMS_CODE_SECONDS, SMS_RESEND_SECONDS } from '../../contract.ts';
import { ProviderRefused, ProviderUnavailable, type SmsCarrier } from '../../ports.ts';
import { DAY_MS } from '../../../protocol/durations.ts';
import { SMS_LIMITS, SMS_SITE_SECONDS, smsQuotaUsed, smsWait, wrongCode, type CodePurpose } from '../../rules.ts';
import { phoneIndex, resolvePhone } from './phones.ts';
import {
  insertCode,
  lockSending,
  selectRecentSends,
  selectSiteSendTime,
  updateCodeState,
  updateCodeTries,
  updateCodeUsed,
} from './store-codes.ts';

type Sent = CodedAnswer<Output<typeof contract.sendPhoneCode>>;

/**
 * Sends a code to a phone (C-66). The answer is the same whether or not the phone has an account. The message is sent
 * once, after the commit that counts it: when the carrier does not answer, the message may be on its way, so nothing is
 * sent again, the count stays, and the code works if it arrives. Throws invalid, tooFrequent (41), unavailable (503).
 */
export async function sendCode(ctx: Ctx, input: Parsed<typeof contract.sendPhoneCode>): Promise<Sent> {
  const phone = await resolvePhone(ctx, input.phone);
  const carrier = ctx.providers.sms;
  if (!carrier) throw unavailable();
  const code = String(randomInt(0, 1_000_000)).padStart(6, '0');
  const id = await reserve(ctx, phone, input.scene ?? '', code);
  await deliver(ctx, carrier, { id, phone, code });
  return new CodedAnswer(CODE.ok, '验证码已发送, 有效时间5分钟', {
    retry_after: SMS_RESEND_SECONDS,
    expire_seconds: SMS_CODE_SECONDS,
  });
}

/** Counts the message and commits before it is sent. Requests for one phone or from one address wait for each other. */
async function reserve(ctx: Ctx, phone: string, purpose: '' | CodePurpose, code: string): Promise<number> {
  const index = phoneIndex(ctx, phone);
  const from = senderOf(ctx);
  // Check once without the lock: a storm of requests must not hold every connection in the queue below.
  const before = await countSends(ctx, index, from);
  if (before.site >= ctx.config.smsPerHour) throw await siteQuotaUsed(ctx, before.now);
  const { id, now, site } = await transact(ctx, async (tx) => {
    await lockSending(tx.db, index, from.ipIndex);
    const counted = await countSends(tx, index, from);
    if (counted.site >= ctx.config.smsPerHour) return { ...counted, id: null };
    const codeHash = codeHashOf(tx, index, code);
    const row = { phoneIndex: index, ...from, purpose, codeHash, createdAt: new Date(counted.now) };
    return { ...counted, id: await insertCode(tx.db, row) };
  });
  if (id === null) throw await siteQuotaUsed(ctx, now);
  await watchQuota(ctx, site + 1);
  return id;
}

type Sender = { ipIndex: Buffer; networkIndex: Buffer | null };

/** Returns keyed hashes of the caller's address (the household) and of the IPv6 network around it. */
export function senderOf(ctx: TransactionCtx): Sender {
  const network = addressNetwork(ctx.request.ip);
  return {
    ipIndex: ctx.vault.index('address', addressGroup(ctx.request.ip)),
    networkIndex: network === null ? null : ctx.vault.index('address', `${network}/48`),
  };
}

/**
 * Returns the time of the count and how many messages the site has sent in the hour. Throws tooFrequent where a limit
 * of the phone, the address or the network is reached.
 */
async function countSends(
  ctx: TransactionCtx,
  phoneIndex: Buffer,
  from: Sender,
): Promise<{ now: number; site: number }> {
  const now = ctx.clock.now();
  const { phone, address, network } = SMS_LIMITS;
  const sent = await selectRecentSends(
    ctx.db,
    { phoneIndex, ...from },
    {
      since: new Date(now - DAY_MS),
      siteSince: new Date(now - SMS_SITE_SECONDS * 1000),
      limit: maxCount([...phone, ...address, ...network]),
    },
  );
  const wait = Math.max(
    smsWait(sent.phone, phone, now),
    smsWait(sent.address, address, now),
    smsWait(sent.network, network, now),
  );
  if (wait > 0) throw tooFrequent(wait);
  return { now, site: sent.site };
}

/** Returns the refusal for SMS_PER_HOUR, the limit of the whole site, and logs that it is reached. */
async function siteQuotaUsed(ctx: Ctx, now: number): Promise<Refusal> {
  const { smsPerHour } = ctx.config;
  const leaving = (await selectSiteSendTime(ctx.db, smsPerHour)) ?? now;
  await ctx.caches.accounts.smsAlarms(ctx, 'full', async () => {
    ctx.log.error({ smsPerHour }, 'SMS_PER_HOUR is used up: no codes are sent until older ones are an hour old');
  });
  return smsQuotaUsed(Math.max(Math.ceil((leaving + SMS_SITE_SECONDS * 1000 - now) / 1000), 1));
}

async function watchQuota(ctx: Ctx, sent: number): Promise<void> {
  const { smsPerHour } = ctx.config;
  if (sent * 2 < smsPerHour) return;
  await ctx.caches.accounts.smsAlarms(ctx, 'half', async () => {
    ctx.log.warn({ sent, smsPerHour }, 'half of SMS_PER_HOUR is used: codes may be requested by an abuser');
  });
}

const maxCount = (limits: readonly { count: number }[]) => Math.max(...limits.map(({ count }) => count));

async function deliver(
  ctx: Ctx,
  carrier: SmsCarrier,
  message: { id: number; phone: string; code: string },
): Promise<void> {
  const { id, phone, code } = message;
  try {
    await carrier.send({ phone, code, reference: `ceku-${id}` });
  } catch (error) {
    const isOutcomeUnknown = !(error instanceof ProviderRefused) && !isSurelyUnsent(error);
    await updateCodeState(ctx.db, id, isOutcomeUnknown ? 'unknown' : 'refused');
    throw explain(ctx, error);
  }
  await updateCodeState(ctx.db, id, 'sent');
}

const isSurelyUnsent = (error: unknown) => error instanceof ProviderUnavailable && !error.isOutcomeUnknown;

/** Returns what the caller is told of a carrier that refused or did not answer. */
function explain(ctx: Ctx, error: unknown): unknown {
  if (error instanceof ProviderRefused && error.reason === 'bad-number') return invalid('请输入正确的手机号', 'phone');
  if (error instanceof ProviderRefused && error.reason === 'too-many') return tooFrequent(SMS_RESEND_SECONDS);
  if (!(error instanceof ProviderRefused) && !(error instanceof ProviderUnavailable)) return error;
  ctx.log.error({ error }, 'an SMS was not sent');
  return unavailable();
}

/** Returns the keyed hash that is stored of a code. It is bound to the phone, so the table alone reveals no code. */
const codeHashOf = (ctx: TransactionCtx, index: Buffer, code: string) =>
  ctx.signer.sign('sms-code', index.toString('hex'), code);

/**
 * Verifies the newest code of a phone and uses it up: once, within five minutes, for its purpose, in the first five
 * tries (INV-42). Throws wrongCode (42) for anything else, the same whatever was wrong.
 */
export const verifyCode = (ctx: Ctx, given: GivenCode): Promise<void> => verifyCodes(ctx, [given]);

export type GivenCode = {
  phone: string;
  code: string;
  purpose: CodePurpose;
  /** The form field of this code, where a form has two. */
  field?: string;
};

/**
 * Verifies several codes of one form. All are checked before the first is used up, so that a typing error costs no
 * message.
 */
export async function verifyCodes(ctx: Ctx, given: GivenCode[]): Promise<void> {
  const now = ctx.clock.now();
  const right: { id: number; given: GivenCode }[] = [];
  for (const one of given) {
    const index = phoneIndex(ctx, one.phone);
    const tried = await updateCodeTries(ctx.db, index, one.purpose, new Date(now - SMS_CODE_SECONDS * 1000));
    if (!tried || !isEqual(tried.codeHash, codeHashOf(ctx, index, one.code))) throw wrongCode(one.field);
    right.push({ id: tried.id, given: one });
  }
  for (const { id, given: one } of right) {
    if (!(await updateCodeUsed(ctx.db, id, new Date(now)))) throw wrongCode(one.field);
  }
}

function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
