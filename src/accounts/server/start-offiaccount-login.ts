import type { Ctx } from '../../context.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import { unavailable } from '../../protocol/envelope.ts';
import { OFFIACCOUNT_QR_PATH, SCENE_SECONDS, type offiaccountLogin as contract } from '../contract-scans.ts';
import { channelOf } from '../rules.ts';
import { askProvider } from './ask-provider.ts';
import { openScene } from './scenes.ts';
import { setSceneQr } from './store-scenes.ts';
import { takeVendorQuota } from './vendor-quota.ts';

/**
 * A scene for the official account's code, which WeChat makes (C-62). `qr_url` is a path of ours: no visitor's browser
 * asks WeChat for a picture. Throws unavailable (503), tooFrequent and
 * scanQuotaUsed (41).
 */
export async function startOffiaccountLogin(
  ctx: Ctx,
  input: Parsed<typeof contract>,
): Promise<Output<typeof contract>> {
  const account = ctx.providers.officialAccount;
  if (!account) throw unavailable();
  const scene = await openScene(ctx, {
    kind: 'offiaccount',
    channel: channelOf(input.channel),
    purpose: input.purpose,
  });
  await takeVendorQuota(ctx, 'wechat-official-qr');
  const { qrUrl } = await askProvider(ctx, account.createQr({ scene, ttlSeconds: SCENE_SECONDS }));
  await setSceneQr(ctx.db, scene, qrUrl);
  return { scene, qr_url: `${OFFIACCOUNT_QR_PATH}?scene=${scene}`, expire_seconds: SCENE_SECONDS };
}
