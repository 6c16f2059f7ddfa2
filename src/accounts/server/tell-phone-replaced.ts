import type { Ctx } from '../../context.ts';
import { phoneIndex } from './phones.ts';
import { senderOf } from './send-code.ts';
import { insertCode, setCodeState } from './store-codes.ts';

/**
 * A message to the phone that an account was bound to until now. Its limits do not hold it back, but it counts in them. The
 * phone is changed whether or not the message goes: the log says when it did not.
 */
export async function tellPhoneReplaced(ctx: Ctx, oldPhone: string, newPhone: string): Promise<void> {
  const tellReplaced = ctx.providers.sms?.tellReplaced;
  if (!tellReplaced) {
    ctx.log.warn('a replaced phone was not told: SMS_NOTICE_TEMPLATE is not set');
    return;
  }
  const row = { phoneIndex: phoneIndex(ctx, oldPhone), ...senderOf(ctx), purpose: 'notice', codeHash: '' } as const;
  const id = await insertCode(ctx.db, { ...row, createdAt: new Date(ctx.clock.now()) });
  try {
    await tellReplaced({ phone: oldPhone, tail: newPhone.slice(-4), reference: `ceku-${id}` });
    await setCodeState(ctx.db, id, 'sent');
  } catch (error) {
    await setCodeState(ctx.db, id, 'unknown');
    ctx.log.error({ error }, 'the message to a replaced phone was not sent');
  }
}
