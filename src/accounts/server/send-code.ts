import { randomInt } from 'node:crypto';
import { transact, type Ctx } from '../../context.ts';
import { addressGroup } from '../../protocol/address-group.ts';
import { CODE } from '../../protocol/codes.ts';
import { CodedAnswer, invalid, tooFrequent, unavailable } from '../../protocol/envelope.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import { SMS_CODE_SECONDS, SMS_RESEND_SECONDS, type sendPhoneCode as contract } from '../contract.ts';
import { ProviderRefused, ProviderUnavailable, type SmsCarrier } from '../ports.ts';
import { SMS_LIMITS, smsWait, type CodePurpose } from '../rules.ts';
import { phoneIndex, phoneMeant } from './phones.ts';
import { insertCode, listSendings, lockSending, setCodeState } from './store-codes.ts';
import { codeHashOf } from './take-code.ts';

const DAY_MS = 86_400_000;

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
  const ipIndex = ctx.vault.index('address', addressGroup(ctx.request.ip));
  // First without waiting for anybody: a storm of requests must not hold all connections in the queue below.
  await refuseTooMany(ctx, index, ipIndex);
  return transact(ctx, async (tx) => {
    await lockSending(tx.db, index, ipIndex);
    const now = await refuseTooMany(tx, index, ipIndex);
    const codeHash = codeHashOf(tx, index, code);
    return insertCode(tx.db, { phoneIndex: index, ipIndex, purpose, codeHash, createdAt: new Date(now) });
  });
}

/** Throws tooFrequent where a limit is reached; the moment that was asked about. */
async function refuseTooMany(ctx: Ctx, index: Buffer, ipIndex: Buffer): Promise<number> {
  const now = ctx.clock.now();
  const since = new Date(now - DAY_MS);
  const toPhone = await listSendings(ctx.db, { phoneIndex: index }, since, mostOf(SMS_LIMITS.phone));
  const fromAddress = await listSendings(ctx.db, { ipIndex }, since, mostOf(SMS_LIMITS.address));
  const wait = Math.max(smsWait(toPhone, SMS_LIMITS.phone, now), smsWait(fromAddress, SMS_LIMITS.address, now));
  if (wait > 0) throw tooFrequent(wait);
  return now;
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
