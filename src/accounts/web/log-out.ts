import { createCall } from '../../protocol/call.ts';
import { CODE } from '../../protocol/codes.ts';
import { DAY_MS } from '../../protocol/durations.ts';
import { webLogout } from '../contract.ts';
import { isSessionOver, readCredential } from './credentials.ts';
import { NOTE } from './noted-logouts.ts';

/** A session lives no longer at the server. */
const NOTE_MS = 30 * DAY_MS;
const WAIT_MS = 5_000;

/** Ends the session of `token` at the server. Returns whether it has ended there. A lazily loaded chunk, as the function below. */
export async function endSession(token: string): Promise<boolean> {
  const send = createCall({
    origin: window.location.origin,
    // The answer clears the cookies, which may be those of another login by now.
    fetch: (request) =>
      fetch(request, {
        credentials: token === readCredential('token') ? 'same-origin' : 'omit',
        signal: AbortSignal.timeout(WAIT_MS),
      }),
    headers: () => ({ token }),
  });
  const hasEnded = await send(webLogout, {}).then(
    ({ code }) => code === CODE.ok || isSessionOver(code),
    () => false,
  );
  if (hasEnded) keepNotes((noted) => noted !== token);
  return hasEnded;
}

/** Ends the sessions of all noted logouts. */
export async function endNotedSessions(): Promise<void> {
  for (const token of keepNotes(() => true)) await endSession(token);
}

/** Drops the notes that are older than a session, and those of tokens that are not wanted. Returns the tokens that stay. */
function keepNotes(isWanted: (token: string) => boolean): string[] {
  try {
    const lines = (window.localStorage.getItem(NOTE) ?? '').split('\n').filter((line) => {
      const [at = '', token = ''] = line.split(' ');
      return token !== '' && Date.now() - Number(at) < NOTE_MS && isWanted(token);
    });
    if (lines.length > 0) window.localStorage.setItem(NOTE, lines.map((line) => `${line}\n`).join(''));
    else window.localStorage.removeItem(NOTE);
    return lines.map((line) => line.slice(line.indexOf(' ') + 1));
  } catch {
    return [];
  }
}
