/** Endpoints of scan login: the QR codes of the mini program and the official account, and the calls of the phone. */
import { z } from 'zod';
import { endpoint } from '../protocol/endpoint.ts';
import { credential } from './contract.ts';

/** How long the QR code of a scan login works (C-61). */
export const SCENE_SECONDS = 120;

/** Each open login dialog asks for three scenes a minute, of either kind; this allows twenty dialogs in one office. */
const SCENES = { perIp: 60, perUser: 60, isByAddress: true, countedAs: 'new-scenes' };
/** The limit for phones is high: whole districts of a mobile network share one address. */
const PHONE_STEPS = { perIp: 300, perUser: 300 };

/**
 * `login` by default. `prove` needs a session: the scan logs nobody in, but proves that the user of that session is the
 * owner of the account, for calls that ask for it (code 43 with `data.proof`).
 */
const purpose = z
  .enum(['login', 'prove'])
  .default('login')
  .catch('login')
  .describe('login 扫码登录；prove 证明当前会话的使用者是账号本人，需登录');

const scene = credential.meta({ description: '扫码登录的场景值', isRequired: true });
const newScene = z.string().describe('扫码登录的场景值，22 个字符');
const sceneSeconds = z.number().int().describe('二维码的有效秒数');

/** Sets the HttpOnly cookie scene_bind: only the browser that holds it is told the result (C-61). */
export const getMiniLoginScene = endpoint({
  method: 'POST',
  path: '/api/user/getMiniLoginScene',
  summary: '小程序扫码登录：取得场景值，并以 HttpOnly Cookie 与本浏览器绑定。',
  auth: 'none',
  isBodyless: true,
  limit: SCENES,
  input: z.object({ purpose }),
  output: z.object({ scene: newScene, expire_seconds: sceneSeconds }),
});

/**
 * GET ?scene= → image/png; 404 when the scene is unknown, over, or another browser's. Made for an <img>, so the answer
 * is no envelope.
 */
export const MINI_QR_PATH = '/api/user/getMiniQrCode';
/** GET ?scene= → image/svg+xml of an official account's scene: the path in `qr_url` below. */
export const OFFIACCOUNT_QR_PATH = '/api/v2/user/offiaccountQrCode';

/**
 * `qr_url` is a same-origin path for an <img>. The scene is polled by miniLoginChecking like a mini program's (C-62).
 */
export const offiaccountLogin = endpoint({
  method: 'GET',
  path: '/api/v2/user/offiaccountLogin',
  summary: '公众号扫码登录：取得场景值与二维码图片路径。',
  auth: 'none',
  limit: SCENES,
  input: z.object({ channel: credential.meta({ default: 'web', description: '来源标识，最多 32 个字符' }), purpose }),
  output: z.object({
    scene: newScene,
    qr_url: z.string().describe('二维码图片的站内路径'),
    expire_seconds: sceneSeconds,
  }),
});

/**
 * Codes (C-61): 0 exactly once, with token, sid and openid (without them after a scan that proves), and with the
 * cookies of the login; 1 waiting; 3 scanned; 5 cancelled (its message says when the account is banned); 6 over,
 * unknown, used or another browser's.
 */
export const miniLoginChecking = endpoint({
  method: 'GET',
  path: '/api/user/miniLoginChecking',
  summary: '扫码登录轮询：0 成功（仅一次），1 等待扫码，3 已扫码，5 用户取消、账号已停用或正在删除，6 二维码已过期。',
  auth: 'none',
  input: z.object({ scene }),
  output: z
    .object({
      token: z.string().describe('登录凭证：之后放入请求头 token；仅返回一次'),
      sid: z.string().describe('会话编号'),
      openid: z.string().describe('微信 openid，没有时为空字符串'),
    })
    .partial(),
});

/** A fresh `wx.login` code, exchanged for the openid on the server. */
const miniCall = z.object({ scene, code: credential.meta({ description: 'wx.login 的 code', isRequired: true }) });

/**
 * Tells that the mini program opened the scene, and returns what its confirm page shows. 6 when the scene is over, or
 * another phone's.
 */
export const miniLoginScanned = endpoint({
  method: 'POST',
  path: '/api/mini/loginScanned',
  summary: '小程序端：已扫码。返回确认页所需的网站、位置、浏览器与时间。',
  auth: 'none',
  limit: PHONE_STEPS,
  input: miniCall,
  output: z.object({
    site: z.string().describe('要登录的网站'),
    purpose: z.enum(['login', 'prove']).describe('待确认的事：login 登录，prove 证明是账号本人'),
    place: z.string().describe('浏览器的大致位置，由网络地址推断'),
    browser: z.string().describe('浏览器与系统'),
    time: z.number().int().describe('发起时间，Unix 秒'),
  }),
});

/** Confirms the scene, and creates an account for an unknown openid with `nickname`. */
export const miniLoginConfirm = endpoint({
  method: 'POST',
  path: '/api/mini/loginConfirm',
  summary: '小程序端：确认登录。未注册的微信号自动创建账号。',
  auth: 'none',
  limit: PHONE_STEPS,
  input: miniCall.extend({ nickname: credential.describe('新账号的昵称，可省略，2-20 个字符') }),
  output: z.object({}),
});

export const miniLoginCancel = endpoint({
  method: 'POST',
  path: '/api/mini/loginCancel',
  summary: '小程序端：取消登录。',
  auth: 'none',
  limit: PHONE_STEPS,
  input: miniCall,
  output: z.object({}),
});

/** The official account's server URL: GET answers echostr, POST takes events in safe mode. */
export const OFFIACCOUNT_EVENTS_PATH = '/api/wechat/official';
