import { data } from 'react-router';
import type { Call } from '../../../protocol/call.ts';
import { CODE } from '../../../protocol/codes.ts';
import { getDetail, type DocumentDetail } from '../../contract.ts';

/** A document that is read beside another; `isVisitor`: nobody is logged in, and it has no pages. */
export type Deck = { detail: DocumentDetail; isVisitor: boolean };

/** Returns a document for a loader. Throws the page's error: 404 for a document that is missing or not published. */
export async function loadDeck(call: Call, fid: number): Promise<Deck> {
  const reply = await call(getDetail, { fid });
  if (reply.code === CODE.notFound) throw data(null, { status: 404 });
  if (!reply.data?.detail) throw data(reply.message, { status: reply.code === CODE.tooFrequent ? 429 : 500 });
  return { detail: reply.data.detail, isVisitor: reply.code === CODE.notLoggedIn };
}
