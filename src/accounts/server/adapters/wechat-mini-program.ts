import type { Db } from '../../../platform/db/client.ts';
import type { Outbound } from '../../../platform/http/outbound.ts';
import type { MiniProgramSettings } from './provider-settings.ts';
import { ProviderUnavailable, type MiniProgramLogin } from '../../ports.ts';
import { createWeChatApi } from './wechat-api.ts';

const NAME = 'wechat-mini-program';
const WIDTH = 430;

/**
 * Login by scanning a mini program's code and confirming there.
 * https://developers.weixin.qq.com/miniprogram/dev/OpenApiDoc/qrcode-link/qr-code/getUnlimitedQRCode.html
 */
export function createMiniProgram(
  settings: MiniProgramSettings,
  parts: { db: Db; outbound: Outbound },
): MiniProgramLogin {
  const api = createWeChatApi({ provider: NAME, app: settings, ...parts });
  return {
    name: NAME,
    codeImage: ({ scene, page }) =>
      api.picture({
        path: '/wxa/getwxacodeunlimit',
        json: { scene, ...(page !== null && { page: page ?? settings.loginPage }), width: WIDTH },
      }),
    async openidOf(jsCode) {
      const { openid, unionid } = await api.open({
        path: '/sns/jscode2session',
        query: {
          appid: settings.appId,
          secret: settings.appSecret,
          js_code: jsCode,
          grant_type: 'authorization_code',
        },
      });
      if (typeof openid !== 'string' || !openid) throw new ProviderUnavailable(NAME, 'an answer without openid', false);
      return { openid, unionid: typeof unionid === 'string' && unionid ? unionid : null };
    },
  };
}
