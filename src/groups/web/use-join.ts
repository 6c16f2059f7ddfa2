import { call } from '../../accounts/web/call.ts';
import { useSending } from '../../accounts/web/login/use-sending.ts';
import type { Wanted } from '../../accounts/web/continue-wanted.ts';
import { usePurchase } from '../../membership/web/prices/purchase.tsx';
import { CODE } from '../../protocol/codes.ts';
import { toast } from '../../ui/feedback/toast.tsx';
import { joinGroup } from '../contract.ts';

/**
 * Returns how to join a group. `onJoined` runs after the server has let the member in. Code 50 opens the pay dialog (C-44), after
 * `onRefused`, which closes the caller's own dialog; `continues` goes on after the payment.
 */
export function useJoin(then: { onJoined: () => Promise<void> | void; onRefused?: () => void; continues?: Wanted }) {
  const { open } = usePurchase();
  const { isSending, send } = useSending();
  const join = (gid: number) =>
    send(async () => {
      const reply = await call(joinGroup, { gid });
      if (reply.code === CODE.notPermitted) {
        then.onRefused?.();
        toast.info(reply.message);
        open({ kind: 'vip' }, then.continues);
        return;
      }
      if (reply.code !== CODE.ok) return toast.warning(reply.message);
      await then.onJoined();
      toast.success(reply.message);
    });
  return { isJoining: isSending, join };
}
