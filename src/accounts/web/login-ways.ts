import type { LoginMethods } from './use-login-methods.ts';
import type { ScanKind } from './use-scan-login.ts';

export type Way = 'scan' | 'phone' | 'username';

/** The QR codes that can be made here: the mini program's first (C-19). */
export function kindsOf(methods: LoginMethods): ScanKind[] {
  return [...(methods.mini ? ['mini' as const] : []), ...(methods.offiaccount ? ['official' as const] : [])];
}

/** The tabs in their order; the first is the one shown: WeChat where it is configured, else the phone (C-19). */
export function waysOf(methods: LoginMethods): Way[] {
  return [...(kindsOf(methods).length > 0 ? ['scan' as const] : []), 'phone', 'username'];
}
