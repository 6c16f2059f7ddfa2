import type { Ctx } from '../../context.ts';
import { CodedAnswer } from '../../protocol/envelope.ts';
import type { DocumentDetail } from '../contract.ts';
import { getDetail } from './get-detail.ts';

/** Returns the visitor's view of the detail for every caller, with code 0 (C-21). Throws code 4 as getDetail does. */
export async function getGuestDetail(ctx: Ctx, documentId: number): Promise<{ detail: DocumentDetail }> {
  const answer = await getDetail({ ...ctx, session: null }, documentId);
  return answer instanceof CodedAnswer ? answer.data : answer;
}
