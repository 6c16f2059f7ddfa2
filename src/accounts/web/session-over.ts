import { CODE } from '../../protocol/codes.ts';

const EVENT = 'ceku:session-over';

/** A reply that means the credentials are worth nothing any more (§4: codes 2 and 10000). */
export const isSessionOver = (code: number) => code === CODE.sessionInvalid || code === CODE.notLoggedIn;

/** Said by call(): whoever shows who is logged in listens. */
export const tellSessionOver = () => window.dispatchEvent(new Event(EVENT));

/** Returns the way to stop listening. */
export function onSessionOver(listener: () => void): () => void {
  window.addEventListener(EVENT, listener);
  return () => window.removeEventListener(EVENT, listener);
}
