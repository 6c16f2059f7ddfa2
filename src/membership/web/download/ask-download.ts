import { call } from '../../../accounts/web/call.ts';
import { downloadDocument, quoteDownload } from '../../contract.ts';
import { isWaysOut, type WaysOut } from '../../contract-ways-out.ts';

/** The two calls of a download. A lazily loaded chunk, for the first press. */
export const askQuote = (fid: number) => call(quoteDownload, { fid });

export const askDownload = (fid: number, expect: { method: string; cost: number }) =>
  call(downloadDocument, { fid, expect });

/** Returns what a refusal tells of the ways out; null for a refusal that tells nothing. */
export const readWaysOut = (data: object | null): WaysOut | null => (isWaysOut(data) ? data : null);
