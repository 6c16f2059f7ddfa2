import { CODE } from '../../protocol/codes.ts';

/** Code 43 of a call that wants its owner to scan first (`data.proof`). */
export const isScanWanted = (reply: { code: number; data: object | null }) =>
  reply.code === CODE.humanCheck && reply.data !== null && 'proof' in reply.data && reply.data.proof === 'scan';
