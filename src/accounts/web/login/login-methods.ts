import type { Answer } from '../../../protocol/endpoint.ts';
import { useRootData } from '../../../root-data.ts';
import type { loginMethods } from '../../contract.ts';
import type { ScanKind } from './use-scan-login.ts';

export type Way = 'scan' | 'phone' | 'username';

/** Returns the kinds of QR code that the site offers, the mini program's first (C-19). */
export function kindsOf(methods: LoginMethods): ScanKind[] {
  return [...(methods.mini ? ['mini' as const] : []), ...(methods.offiaccount ? ['official' as const] : [])];
}

/** Returns the tabs in their order. The first is shown: WeChat where it is configured, else the phone (C-19). */
export function waysOf(methods: LoginMethods): Way[] {
  return [...(kindsOf(methods).length > 0 ? ['scan' as const] : []), 'phone', 'username'];
}

export type LoginMethods = Answer<typeof loginMethods>;

const ALL: LoginMethods = { mini: 1, offiaccount: 1, sms: 1 };

/**
 * Returns the login methods that this site offers. Returns all of them when the root loader could not ask: each says by
 * itself what is wrong.
 */
export function useLoginMethods(): LoginMethods {
  return useRootData()?.loginMethods ?? ALL;
}
