import type { Routes } from '../../context.ts';
import {
  downloadDocument as downloadEndpoint,
  getMine as mineEndpoint,
  listCoinRecords as coinRecordsEndpoint,
  listOwned as ownedEndpoint,
  quoteDownload as quoteEndpoint,
} from '../contract.ts';
import { downloadDocument, quoteDownload } from './download-document.ts';
import { getMine } from './get-mine.ts';
import { listOwned } from './rights.ts';
import { listCoinRecords } from './ledger.ts';

export function membershipRoutes(routes: Routes): void {
  routes.on(mineEndpoint, getMine);
  routes.on(ownedEndpoint, async (ctx, input) => ({ fids: await listOwned(ctx, input.fids) }));
  routes.on(quoteEndpoint, quoteDownload);
  routes.on(downloadEndpoint, downloadDocument);
  routes.on(coinRecordsEndpoint, listCoinRecords);
}
