import type { Ctx } from '../../context.ts';
import { ProviderRefused } from '../ports.ts';
import { askProvider } from './ask-provider.ts';
import { isScene } from './scenes.ts';
import { findUserOfOpenid } from './store-identities.ts';
import { findLiveScene, moveScene } from './store-scenes.ts';
import { findUserOfIdentity, userOfIdentity } from './user-of-identity.ts';

/**
 * Somebody scanned the official account's code: that is their agreement, and the browser is logged in as their account,
 * made now if there is none. The scene's own state makes repeats and replays harmless: it moves once, for one openid,
 * within two minutes. A scan that proves makes no account. Throws unavailable when WeChat cannot say whether we know the person by another name.
 */
export async function takeScan(ctx: Ctx, scan: { scene: string; openid: string }): Promise<void> {
  const { scene: name, openid } = scan;
  const now = () => new Date(ctx.clock.now());
  const scene = isScene(name) ? await findLiveScene(ctx.db, name, now()) : null;
  // Repeats, replays, and somebody else's photograph of the code end here.
  if (scene?.kind !== 'offiaccount' || scene.state !== 'waiting') return;
  const unionid = await findUnionid(ctx, openid);
  if (scene.purpose === 'prove') {
    const userId = await findUserOfIdentity(ctx, { provider: 'offiaccount', openid, unionid });
    const proof = { scene: name, kind: 'offiaccount', openid, userId, now: now() } as const;
    await moveScene(ctx.db, { ...proof, from: ['waiting'], to: 'confirmed' });
    return;
  }
  const newcomer = { channel: `offiaccount:${scene.channel}` };
  const userId = await userOfIdentity(ctx, { provider: 'offiaccount', openid, unionid }, newcomer);
  const to = userId === null ? 'banned' : 'confirmed';
  await moveScene(ctx.db, { scene: name, kind: 'offiaccount', openid, from: ['waiting'], to, userId, now: now() });
}

/** Null where the account belongs to no Open Platform account, or for an openid we know already. */
async function findUnionid(ctx: Ctx, openid: string): Promise<string | null> {
  const account = ctx.providers.officialAccount;
  if (!account || (await findUserOfOpenid(ctx.db, 'offiaccount', openid)) !== null) return null;
  const asked = account.unionidOf(openid).catch((error: unknown) => {
    // An account without that permission never has it: people then come in by each kind as themselves.
    if (error instanceof ProviderRefused) return null;
    throw error;
  });
  return askProvider(ctx, asked);
}
