import type { Call } from '../../../protocol/call.ts';
import { CODE } from '../../../protocol/codes.ts';
import { listHotWords } from '../../contract.ts';

/** Returns the hot words for a loader; none when they cannot be read, because a page without them is still a page. */
export async function loadHotWords(call: Call): Promise<string[]> {
  const reply = await call(listHotWords, {}).catch(() => null);
  return reply?.code === CODE.ok ? (reply.data?.words ?? []) : [];
}
