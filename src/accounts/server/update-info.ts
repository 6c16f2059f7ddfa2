import type { Ctx } from '../../context.ts';
import { CODE } from '../../protocol/codes.ts';
import { CodedAnswer, invalid, sessionInvalid } from '../../protocol/envelope.ts';
import { isNickname } from '../rules.ts';
import { refuseSharedAccount } from './demo-accounts.ts';
import { requireSession } from './require-session.ts';
import { findUser, setUser } from './store.ts';

/** A new nickname, without the space around it (C-71). Throws invalid (40). */
export async function updateInfo(ctx: Ctx, input: { nickname: string }): Promise<CodedAnswer<{ nickname: string }>> {
  const { userId } = requireSession(ctx);
  const nickname = input.nickname.trim();
  if (!isNickname(nickname)) throw invalid('昵称长度为2-20个字符', 'nickname');
  const user = await findUser(ctx.db, { id: userId });
  if (user) refuseSharedAccount(ctx, user);
  if (!(await setUser(ctx.db, userId, { nickname }))) throw sessionInvalid();
  return new CodedAnswer(CODE.ok, '保存成功', { nickname });
}
