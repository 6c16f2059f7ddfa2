import { createContext, type RouterContextProvider } from 'react-router';
import type { SiteFacts } from './config.ts';
import type { Channel } from './payment/ports.ts';
import { createDirectCall, type AskDirectly, type Call } from './protocol/call.ts';

/**
 * `outsidePhoneUrl`: the pretend phone's page, while src/outside/ plays the other companies. `?scene=` of a login's QR
 * code opens it before that code, `?sms=` of a phone shows the messages sent to it, `?open=` opens the code of a payment.
 * `payChannels`: the payment providers that are configured.
 */
type ShownSite = SiteFacts & { outsidePhoneUrl: string | null; payChannels: Channel[] };

/** The facts that the server hands to the pages for one request. */
export type PageFacts = {
  /** The API in process, already authenticated by the browser's cookie. */
  api: AskDirectly;
  /** Nonce of the script tags of this response (Content-Security-Policy). */
  nonce: string;
  /** Logs that the page could not be rendered, and why. */
  reportFailure: (message: string) => void;
  /** `https://host` as visitors see it, for canonical links. */
  origin: string;
  site: ShownSite;
};

export const pageFacts = createContext<PageFacts>();

/** The typed API call for loaders: same endpoints, same envelope as in the browser, no socket and no JSON text. */
export function callFrom(context: Readonly<RouterContextProvider>): Call {
  return createDirectCall(context.get(pageFacts).api);
}
