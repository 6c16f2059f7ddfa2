import { randomInt } from 'node:crypto';
import { transact, type Ctx } from '../../context.ts';
import { createMemo } from '../../platform/memo.ts';
import { addressGroup, addressNetwork } from '../../protocol/address-group.ts';
import { CODE } from '../../protocol/codes.ts';
import { CodedAnswer, invalid, tooFrequent, unavailable, type Refusal } from '../../protocol/envelope.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import { SMS_CODE_SECONDS, SMS_RESEND_SECONDS, type sendPhoneCode as contract } from '../contract.ts';
import { ProviderRefused, ProviderUnavailable, type SmsCarrier } from '../ports.ts';
import { SMS_LIMITS, SMS_SITE_SECONDS, smsQuotaUsed, smsWait, type CodePurpose } from '../rules.ts';
import { phoneIndex, phoneMeant } from './phones.ts';
import { findSiteSending, insertCode, lockSending, readSendings, setCodeState } from './store-codes.ts';
import { codeHashOf } from './take-code.ts';
import { DAY_MS } from '../../protocol/durations.ts';

type Sent = CodedAnswer<Output<typeof contract>>;

/**
 * Sends a code (C-66), to whatever phone: the answer is the same whether or not it has an account. The message goes
 * after the commit that counts it, once: a carrier that does not answer may have sent it, so nothing is sent again, the
 * count stays, and the code works if it arrives. Throws invalid, tooFrequent (41), unavailable (503).
 */
export async function sendCode(ctx: Ctx, input: Parsed<typeof contract>): Promise<Sent> {
  const phone = await phoneMeant(ctx, input.phone);
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

/** Counts and commits before anything is sent; requests about one phone or from one address wait for each other. */
async function reserve(ctx: Ctx, phone: string, purpose: '' | CodePurpose, code: string): Promise<number> {
  const index = phoneIndex(ctx, phone);
  const from = senderOf(ctx);
  // First without waiting for anybody: a storm of requests must not hold all connections in the queue below.
  await refuseTooMany(ctx, index, from);
  const { id, site } = await transact(ctx, async (tx) => {
    await lockSending(tx.db, index, from.ipIndex);
    const { now, site: before } = await refuseTooMany(tx, index, from);
    const codeHash = codeHashOf(tx, index, code);
    const row = { phoneIndex: index, ...from, purpose, codeHash, createdAt: new Date(now) };
    return { id: await insertCode(tx.db, row), site: before + 1 };
  });
  await watchQuota(ctx, site);
  return id;
}

type Sender = { ipIndex: Buffer; networkIndex: Buffer | null };

/** Keyed hashes of where a request comes from: the household, and the IPv6 network around it. */
export function senderOf(ctx: Ctx): Sender {
  const network = addressNetwork(ctx.request.ip);
  return {
    ipIndex: ctx.vault.index('address', addressGroup(ctx.request.ip)),
    networkIndex: network === null ? null : ctx.vault.index('address', `${network}/48`),
  };
}

/** Throws tooFrequent or smsQuotaUsed where a limit is reached; returns the moment, and how many the site sent before. */
async function refuseTooMany(ctx: Ctx, phoneIndex: Buffer, from: Sender): Promise<{ now: number; site: number }> {
  const now = ctx.clock.now();
  const { phone, address, network } = SMS_LIMITS;
  const sent = await readSendings(
    ctx.db,
    { phoneIndex, ...from },
    {
      since: new Date(now - DAY_MS),
      siteSince: new Date(now - SMS_SITE_SECONDS * 1000),
      limit: mostOf([...phone, ...address, ...network]),
    },
  );
  const wait = Math.max(
    smsWait(sent.phone, phone, now),
    smsWait(sent.address, address, now),
    smsWait(sent.network, network, now),
  );
  if (wait > 0) throw tooFrequent(wait);
  if (sent.site >= ctx.config.smsPerHour) throw await siteQuotaUsed(ctx, now);
  return { now, site: sent.site };
}

/** The ceiling of the site: what an operator's purse is worth in an hour. */
async function siteQuotaUsed(ctx: Ctx, now: number): Promise<Refusal> {
  const { smsPerHour } = ctx.config;
  const leaving = (await findSiteSending(ctx.db, smsPerHour)) ?? now;
  await alarm(ctx, 'full', async () => {
    ctx.log.error({ smsPerHour }, 'SMS_PER_HOUR is used up: no codes are sent until older ones are an hour old');
  });
  return smsQuotaUsed(Math.max(Math.ceil((leaving + SMS_SITE_SECONDS * 1000 - now) / 1000), 1));
}

/** Says each alarm of this process at most once in ten minutes. */
const alarm = createMemo<void>(600_000, 10);

async function watchQuota(ctx: Ctx, sent: number): Promise<void> {
  const { smsPerHour } = ctx.config;
  if (sent * 2 < smsPerHour) return;
  await alarm(ctx, 'half', async () => {
    ctx.log.warn({ sent, smsPerHour }, 'half of SMS_PER_HOUR is used: is somebody playing with the codes?');
  });
}

const mostOf = (limits: readonly { count: number }[]) => Math.max(...limits.map(({ count }) => count));

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
    await setCodeState(ctx.db, id, isOutcomeUnknown ? 'unknown' : 'refused');
    throw explain(ctx, error);
  }
  await setCodeState(ctx.db, id, 'sent');
}

const isSurelyUnsent = (error: unknown) => error instanceof ProviderUnavailable && !error.isOutcomeUnknown;

/** The carrier's no, or its silence, as the caller may know it. */
function explain(ctx: Ctx, error: unknown): unknown {
  if (error instanceof ProviderRefused && error.reason === 'bad-number') return invalid('请输入正确的手机号', 'phone');
  if (error instanceof ProviderRefused && error.reason === 'too-many') return tooFrequent(SMS_RESEND_SECONDS);
  if (!(error instanceof ProviderRefused) && !(error instanceof ProviderUnavailable)) return error;
  ctx.log.error({ error }, 'a message was not sent');
  return unavailable();
}
