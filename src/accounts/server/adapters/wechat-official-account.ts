import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/client.ts';
import type { Outbound } from '../../../platform/http/outbound.ts';
import type { OfficialAccountSettings } from './provider-settings.ts';
import { ProviderRefused, ProviderUnavailable, type OfficialAccountLogin } from '../../ports.ts';
import { createWeChatApi } from './wechat-api.ts';
import { readEcho, readPush } from './wechat-push.ts';

const NAME = 'wechat-official-account';

/**
 * Login by scanning the official account's code.
 * https://developers.weixin.qq.com/doc/offiaccount/Account_Management/Generating_a_Parametric_QR_Code.html
 */
export function createOfficialAccount(
  settings: OfficialAccountSettings,
  parts: { db: Db; clock: Clock; outbound: Outbound },
): OfficialAccountLogin {
  const api = createWeChatApi({ provider: NAME, app: settings, db: parts.db, outbound: parts.outbound });
  return {
    name: NAME,
    async createQr({ scene, ttlSeconds }) {
      const answer = await api.call({
        path: '/cgi-bin/qrcode/create',
        json: {
          expire_seconds: ttlSeconds,
          action_name: 'QR_STR_SCENE',
          action_info: { scene: { scene_str: scene } },
        },
      });
      const { url, expire_seconds: seconds } = answer;
      if (typeof url !== 'string') throw new ProviderUnavailable(NAME, 'an answer without url', false);
      return { qrUrl: url, ttlSeconds: typeof seconds === 'number' ? seconds : ttlSeconds };
    },
    async unionidOf(openid) {
      const { unionid } = await api
        .call({ path: '/cgi-bin/user/info', query: { openid, lang: 'zh_CN' } })
        .catch(onGone);
      return typeof unionid === 'string' && unionid ? unionid : null;
    },
    echo: (query) => readEcho(settings, query),
    readPush: (push) => readPush(settings, push, parts.clock.now()),
  };
}

/** Returns no data for a person who no longer follows the account: WeChat answers 40003, which is not an error here. */
function onGone(error: unknown): Record<string, unknown> {
  if (error instanceof ProviderRefused && error.vendorCode === '40003') return {};
  throw error;
}
