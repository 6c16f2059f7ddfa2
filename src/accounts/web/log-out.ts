import { CODE } from '../../protocol/codes.ts';
import { webLogout } from '../contract.ts';
import { call } from './call.ts';

/**
 * Ends the session at the server. Returns false when the server could not be asked, or refused because of a limit: the
 * session then lives on, and the page must not say otherwise. A session that was over already counts as ended. A lazily loaded chunk.
 */
export const logOut = (): Promise<boolean> =>
  call(webLogout, {}).then(
    ({ code }) => code === CODE.ok,
    () => false,
  );
