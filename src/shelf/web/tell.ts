import { CODE } from '../../protocol/codes.ts';
import { toast } from '../../ui/feedback/toast.tsx';

/** Shows the result of a call in a toast, a network failure too, and returns whether the call succeeded. `done` makes the words of a success. */
export async function tell<D>(
  asked: Promise<{ code: number; message: string; data: D }>,
  done?: (data: NonNullable<D>) => string,
): Promise<boolean> {
  const reply = await asked.catch(() => null);
  if (!reply) toast.error('网络不通，请稍后再试');
  else if (reply.code !== CODE.ok) toast.warning(reply.message);
  else toast.success(done && reply.data ? done(reply.data) : reply.message);
  return reply?.code === CODE.ok;
}
