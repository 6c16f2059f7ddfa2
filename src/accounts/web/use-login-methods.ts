import { useRootData } from '../../root-data.ts';
import type { Answer } from '../../protocol/endpoint.ts';
import type { loginMethods } from '../contract.ts';

export type LoginMethods = Answer<typeof loginMethods>;

const ALL: LoginMethods = { mini: 1, offiaccount: 1, sms: 1 };

/** The ways in that this site offers; all of them where it could not be asked: each says by itself what is wrong. */
export function useLoginMethods(): LoginMethods {
  return useRootData()?.loginMethods ?? ALL;
}
