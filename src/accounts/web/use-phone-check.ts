import { useCallback, useEffect, useState } from 'react';
import { CODE } from '../../protocol/codes.ts';
import { verifyUserPhone } from '../contract.ts';
import { isPhone } from '../rules.ts';
import { call } from './call.ts';

export type PhoneCheck =
  | { state: 'open' | 'checking' | 'known' }
  /** `isFinal`: another number may do, this one never. */
  | { state: 'refused'; message: string; isFinal: boolean };

/**
 * The first step of a reset: whether the number may have one (C-67). Asked as soon as the number is complete; `phone`
 * null: the member's own. `again` asks once more after a failure.
 */
export function usePhoneCheck(phone: string | null): { check: PhoneCheck; again: () => void } {
  const [check, setCheck] = useState<PhoneCheck>({ state: 'open' });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (phone !== null && !isPhone(phone)) return setCheck({ state: 'open' });
    let isCurrent = true;
    setCheck({ state: 'checking' });
    const ask = async () => {
      const reply = await call(verifyUserPhone, phone === null ? {} : { phone }).catch(() => null);
      if (!isCurrent) return;
      if (reply?.code === CODE.ok) setCheck({ state: 'known' });
      else {
        const message = reply?.message ?? '网络异常，请稍后再试';
        setCheck({ state: 'refused', message, isFinal: reply?.code === CODE.failed });
      }
    };
    void ask();
    return () => void (isCurrent = false);
  }, [phone, attempt]);
  return { check, again: useCallback(() => setAttempt((count) => count + 1), []) };
}
