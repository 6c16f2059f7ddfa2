import { createCall, type Call } from '../../protocol/call.ts';
import { CODE } from '../../protocol/codes.ts';
import { isSessionOver, readCredential, tellSessionOver } from './credentials.ts';

/**
 * Calls the API from the browser, with the `token` header of the session at that moment (C-02). When a call answers 2, or one that needs
 * a session 10000, the session is cleared as well (§4).
 */
export const call: Call = async (endpoint, input) => {
  const send = createCall({
    origin: window.location.origin,
    fetch: (request) => fetch(request),
    headers: (): Record<string, string> => {
      const token = readCredential('token');
      return token ? { token } : {};
    },
  });
  const reply = await send(endpoint, input);
  if (reply.code === CODE.sessionInvalid || (endpoint.auth === 'session' && isSessionOver(reply.code)))
    tellSessionOver();
  return reply;
};
