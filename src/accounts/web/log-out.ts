import { webLogout } from '../contract.ts';
import { call } from './call.ts';

/** Ends this session at the server. A failure is not shown: the credentials are forgotten in any case (C-72). */
export async function leave(): Promise<void> {
  await call(webLogout, {}).catch(() => null);
}
