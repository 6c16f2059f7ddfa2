import { createCall, type Call } from '../../protocol/call.ts';
import { readCredential } from './credentials.ts';

/** The API from the browser, with the `token` header of whoever is logged in at that moment (C-02). */
export const call: Call = (endpoint, input) => {
  const send = createCall({
    origin: window.location.origin,
    fetch: (request) => fetch(request),
    headers: (): Record<string, string> => {
      const token = readCredential('token');
      return token ? { token } : {};
    },
  });
  return send(endpoint, input);
};
