import { call } from '../../../accounts/web/call.ts';
import { downloadDocument, quoteDownload } from '../../contract.ts';
import { waysOut, type WaysOut } from '../../contract-ways-out.ts';

/** The two calls of a download. A lazily loaded chunk: the contract's schemas load with the first press. */
export const askQuote = (fid: number) => call(quoteDownload, { fid });

export const askDownload = (fid: number, expect: { method: string; cost: number }) =>
  call(downloadDocument, { fid, expect });

/** Returns what a refusal tells of the ways out; null for a refusal that tells nothing. */
export function readWaysOut(data: object | null): WaysOut | null {
  const ways = waysOut.safeParse(data);
  return ways.success ? ways.data : null;
}
