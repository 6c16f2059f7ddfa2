import { webLogout } from '../contract.ts';
import { call } from './call.ts';

/**
 * Ends this session at the server. False when it could not be asked: the session then lives on, and nobody may be told
 * otherwise. A session that was over already has ended as well.
 */
export const leave = (): Promise<boolean> =>
  call(webLogout, {}).then(
    () => true,
    () => false,
  );
