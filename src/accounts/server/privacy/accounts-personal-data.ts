import { openPhone } from '../phones/phones.ts';
import { deleteCodes, selectSendTimes } from '../phones/store-codes.ts';
import { deleteExports } from './store-exports.ts';
import type { PersonalData } from '../personal-data.ts';
import { deleteSessions, selectSessions } from '../store-sessions.ts';
import { deleteIdentities, selectIdentities, selectPhoneIndex, selectUser } from '../store.ts';
import { deleteScenes } from '../scans/store-scenes.ts';

export const accountsPersonalData: PersonalData = {
  async collect(ctx, userId) {
    const user = await selectUser(ctx.db, { id: userId });
    if (!user) return {};
    const { phoneSealed, isDemo: _isDemo, ...account } = user;
    const phoneIndex = await selectPhoneIndex(ctx.db, userId);
    const sent = phoneIndex ? await selectSendTimes(ctx.db, phoneIndex) : [];
    return {
      account: { ...account, phone: openPhone(ctx, phoneSealed) },
      wechat: await selectIdentities(ctx.db, userId),
      sessions: await selectSessions(ctx.db, userId),
      messages: sent.map((at) => ({ sentAt: new Date(at) })),
    };
  },
  async erase(ctx, userId) {
    const phoneIndex = await selectPhoneIndex(ctx.db, userId);
    if (phoneIndex) await deleteCodes(ctx.db, phoneIndex);
    await deleteScenes(ctx.db, userId);
    await deleteIdentities(ctx.db, userId);
    await deleteSessions(ctx.db, userId);
    await deleteExports(ctx.db, userId);
  },
};
