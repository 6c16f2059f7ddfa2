import { useRouteLoaderData } from 'react-router';
import type { Answer } from '../../protocol/endpoint.ts';
import type { loader } from '../../root.tsx';
import type { loginMethods } from '../contract.ts';
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

export type LoginMethods = Answer<typeof loginMethods>;

const ALL: LoginMethods = { mini: 1, offiaccount: 1, sms: 1 };

/** The ways in that this site offers; all of them where it could not be asked: each says by itself what is wrong. */
export function useLoginMethods(): LoginMethods {
  return useRouteLoaderData<typeof loader>('root')?.loginMethods ?? ALL;
}
