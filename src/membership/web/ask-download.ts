import { call } from '../../accounts/web/call.ts';
import { downloadDocument, quoteDownload } from '../contract.ts';

/** The two calls of a download. A lazily loaded chunk: the contract's schemas load with the first press. */
export const askQuote = (fid: number) => call(quoteDownload, { fid });

export const askDownload = (fid: number, expect: { method: string; cost: number }) =>
  call(downloadDocument, { fid, expect });
