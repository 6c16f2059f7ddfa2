import { z } from 'zod';
import { endpoint } from '../protocol/endpoint.ts';
import { flag, rowId } from '../protocol/fields.ts';
import { isMemberPassword, isPhone, isSmsCode, PASSWORD_ERROR, PHONE_ERROR } from './rules.ts';

/** The duration of a session: 30 days from the login, never extended (C-02). */
export const SESSION_SECONDS = 2_592_000;

/** The seconds between two messages to one phone; the next constant is how long a code works (C-66). */
export const SMS_RESEND_SECONDS = 60;
export const SMS_CODE_SECONDS = 300;

/**
 * The days between the request to delete an account and the deletion; a login in between takes the request back (C-74).
 */
export const COOLING_OFF_DAYS = 7;

/** The limit of the calls that try a password or a code without a login, all together (C-114). */
const GUESSES = { perIp: 10, perUser: 10, isByAddress: true, countedAs: 'guesses' };

/**
 * A text field whose other types read as "": a wrong password in a login, so that the answer tells nothing, and a missing
 * field in a proof.
 */
export const credential = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'string' ? value : ''))
  .meta({ type: 'string' });

const phone = z
  .string(PHONE_ERROR)
  .trim()
  .refine(isPhone, PHONE_ERROR)
  .meta({ description: '11 位手机号', examples: ['13800001234'] });

/**
 * A phone. A logged-in member may leave it out, or send the masked number that the page shows: both mean the member's
 * phone.
 */
const phoneOrOwn = z
  .unknown()
  .optional()
  // A number is no phone, and not the member's own either.
  .transform((value) => (value === undefined || value === null ? '' : typeof value === 'string' ? value.trim() : '-'))
  .meta({
    type: 'string',
    description: '11 位手机号；已登录时可省略或填打码号码，表示本人手机号',
    examples: ['13800001234'],
  });

const NO_CODE = '请输入6位验证码';
const smsCode = z
  .string(NO_CODE)
  .trim()
  .refine(isSmsCode, NO_CODE)
  .meta({ description: '6 位短信验证码', examples: ['123456'] });

const newPassword = z
  .string(PASSWORD_ERROR)
  .refine(isMemberPassword, PASSWORD_ERROR)
  .describe('新密码，8-20 位字母和数字组合');

/** True for 1, "1" and true; false for everything else. */
const yes = z
  .unknown()
  .optional()
  .transform((value) => value === true || value === 1 || value === '1');

const login = z.object({
  authToken: z.string().describe('登录凭证：之后放入请求头 token'),
  openid: z.string().describe('微信 openid，没有时为空字符串'),
  sid: z.string().describe('会话编号'),
});

/** Proofs of the owner that exportAccount and cancelAccount accept. */
const proof = {
  code: credential.meta({ description: '6 位短信验证码；已绑定手机号时必填', examples: ['123456'] }),
  pwd: credential.describe('密码原文；没有手机号而有密码时必填'),
};

// Login; scan login is in contract-scans.ts ------------------------------------------------------

/** The answer also sets the cookies token, sid, openid and the HttpOnly `sess` (Set-Cookie). */
export const usernameLogin = endpoint({
  method: 'POST',
  path: '/api/v2/user/usernameLogin',
  summary: '账号登录：用户名与密码（UTF-8 字节的 base64）。',
  auth: 'none',
  limit: GUESSES,
  input: z.object({
    username: credential.meta({ description: '用户名', examples: ['zhangsan'], isRequired: true }),
    password: credential.meta({
      description: '密码的 UTF-8 字节的 base64',
      examples: ['cGFzc3dvcmQx'],
      isRequired: true,
    }),
  }),
  output: login,
});

/** The login methods besides the user name: 1 where the vendor is configured or the demo plays it (C-19). */
export const loginMethods = endpoint({
  method: 'POST',
  path: '/api/user/loginMethods',
  summary: '本站开放的登录方式。',
  auth: 'none',
  isBodyless: true,
  input: z.object({}),
  output: z.object({
    mini: flag.describe('开放小程序扫码登录为 1'),
    offiaccount: flag.describe('开放公众号扫码登录为 1'),
    sms: flag.describe('开放短信验证码登录为 1'),
  }),
  isShared: () => true,
});

/**
 * Message 验证码已发送, 有效时间5分钟, also for a phone without an account. `scene` binds the code to one purpose; without it the
 * code serves any purpose of that phone (C-66) except `rebind` and `export`. A logged-in member may leave `phone` out
 * or send it masked: then it is the member's phone. Refusals: 40, 41 with retry_after, 503 when the carrier does not
 * answer.
 */
export const sendPhoneCode = endpoint({
  method: 'POST',
  path: '/api/user/sendPhoneCode',
  summary: '发送短信验证码：同一号码 60 秒 1 次、每小时 5 次、每天 10 次。',
  auth: 'none',
  limit: { perIp: 30, perUser: 30 },
  input: z.object({
    phone: phoneOrOwn,
    scene: z
      .enum(['login', 'bind', 'rebind', 'reset', 'cancel', 'export'])
      .optional()
      .catch(undefined)
      .describe('验证码的用途；省略时可用于 rebind、export 以外的用途'),
  }),
  output: z.object({
    retry_after: z.number().int().describe('再次发送需等待的秒数'),
    expire_seconds: z.number().int().describe('验证码的有效秒数'),
  }),
});

/** Creates an account for a phone that has none (C-64). */
export const phoneCodeLogin = endpoint({
  method: 'POST',
  path: '/api/user/phoneCodeLogin',
  summary: '验证码登录，未注册的手机号自动创建账号。',
  auth: 'none',
  isInfor: true,
  limit: GUESSES,
  input: z.object({ phone, code: smsCode }),
  output: login,
});

/** With `code` instead of `pwd` this is phoneCodeLogin (C-64). Every refusal has code 1 and the same text (C-65). */
export const phoneLogin = endpoint({
  method: 'POST',
  path: '/api/user/phoneLogin',
  summary: '手机号与密码登录；也接受以 code 代替 pwd。',
  auth: 'none',
  isInfor: true,
  limit: GUESSES,
  input: z.object({
    phone,
    pwd: credential.describe('密码原文'),
    code: credential.meta({ description: '6 位短信验证码，可代替 pwd', examples: ['123456'] }),
  }),
  output: login,
});

// Passwords and phones -----------------------------------------------------------------------------

/**
 * The first step of a password reset. Refusals: 1 该手机号未注册, 43 with retry_after when asked too often. A
 * logged-in member can ask about their own phone only (C-67).
 */
export const verifyUserPhone = endpoint({
  method: 'POST',
  path: '/api/user/verifyUserPhone',
  summary: '重置密码第一步：该手机号是否已注册。',
  auth: 'none',
  input: z.object({ phone: phoneOrOwn }),
  output: z.object({ exists: z.literal(1).describe('已注册，恒为 1') }),
});

/**
 * Message 绑定成功. `pwd`: the current password of an account that has one; for an account without a password the first
 * password, which may be left out (C-68). `old_code`: where there is no password, the code sent to the phone that is
 * replaced (scene rebind); a scan with the purpose `prove` replaces it. Refusals: 1 密码错误, 40 and 42 with data.field, 43
 * with data.proof where an account without phone and password logged in more than ten minutes ago, 60 该手机号已被其他账号绑定, or
 * where another request changed the phone or the password at the same moment.
 */
export const bindPhone = endpoint({
  method: 'POST',
  path: '/api/user/bindPhone',
  summary: '绑定或更换手机号。',
  auth: 'session',
  limit: { perIp: 10, perUser: 10 },
  input: z.object({
    phone,
    pwd: credential.describe('当前密码；账号没有密码时可省略，给出则设为密码（8-20 位字母和数字组合）'),
    code: smsCode,
    old_code: credential.describe('更换手机号且账号没有密码时：原手机号收到的验证码（用途 rebind）'),
  }),
  output: z.object({ phone: z.string().describe('绑定的手机号（打码）') }),
});

/** Message 重置密码成功. Ends the user's other sessions; no login needed (C-69). Refusals: 1 该手机号未注册, 40, 42. */
export const returnPwd = endpoint({
  method: 'POST',
  path: '/api/user/returnPwd',
  summary: '用短信验证码重置密码，其他登录全部失效。',
  auth: 'none',
  limit: GUESSES,
  input: z.object({ phone: phoneOrOwn, pwd: newPassword, code: smsCode }),
  output: z.object({}),
});

// The user account ---------------------------------------------------------------------------------

/** Ends the session of the header only, never one that the body names; answers 0 in any case (C-72). */
export const webLogout = endpoint({
  method: 'POST',
  path: '/api/user/webLogout',
  summary: '退出登录：结束请求头所带凭证的登录；没有凭证时也返回成功，但不结束任何登录。',
  auth: 'none',
  input: z.object({}),
  output: z.object({}),
});

/** Message 保存成功. Refusal 40 昵称长度为2-20个字符 (C-71). */
export const updateInfo = endpoint({
  method: 'POST',
  path: '/api/user/updateInfo',
  summary: '修改昵称。',
  auth: 'session',
  limit: { perIp: 20, perUser: 20 },
  input: z.object({ nickname: credential.describe('昵称，2-20 个字符') }),
  output: z.object({ nickname: z.string().describe('保存后的昵称') }),
});

const openLogin = z.object({
  id: z.number().int().describe('登录的 id，用于 /api/user/sessionRevoke'),
  browser: z.string().describe('浏览器与系统，如 Chrome · Windows'),
  place: z.string().describe('大致位置，由网络地址推断，地址末尾已隐藏'),
  login_time: z.number().int().describe('登录时间，Unix 秒'),
  expire_time: z.number().int().describe('到期时间，Unix 秒'),
  is_current: flag.describe('当前登录为 1'),
});

/** The user's open sessions, newest first. */
export const listSessions = endpoint({
  method: 'POST',
  path: '/api/user/sessions',
  summary: '当前有效的登录列表。',
  auth: 'session',
  input: z.object({}),
  output: z.object({
    sessions: z.array(openLogin).describe('有效的登录，最近的在前'),
    count: z.number().int().describe('有效的登录数'),
    limit: z.number().int().describe('可同时有效的登录数；再次登录时超出的部分从最早的一个起失效'),
  }),
});

/**
 * Ends one of the user's sessions, or with `others: 1` all but the current one. Refusal 4 when there is no such open
 * session.
 */
export const revokeSession = endpoint({
  method: 'POST',
  path: '/api/user/sessionRevoke',
  summary: '退出一个登录（id），或退出其他全部登录（others=1）。',
  auth: 'session',
  input: z.object({
    id: rowId.meta({ description: '要退出的登录的 id；others 为 1 时可省略', isRequired: false }),
    others: yes.meta({ type: 'integer', description: '1 为退出其他全部登录' }),
  }),
  output: z.object({ revoked: z.number().int().describe('退出的登录数') }),
});

const exportState = z.object({
  status: z
    .enum(['none', 'pending', 'ready', 'failed'])
    .describe('导出进度：none 没有，pending 生成中，ready 可下载，failed 失败'),
  /** The link alone opens nothing: its owner has to be logged in (C-74). */
  url: z.string().describe('ZIP 的站内下载路径，生成后 24 小时内有效，须本人登录；未就绪为空字符串'),
  size: z.number().int().describe('ZIP 的大小（字节）；未就绪为 0'),
  expire_at: z.number().int().describe('下载链接到期时间，Unix 秒；未就绪为 0'),
});

/**
 * Requests a copy of everything kept about the user. While a copy is being made, asking again changes nothing. Later
 * than ten minutes after the login the call needs a proof as for cancelAccount (scene export).
 */
export const exportAccount = endpoint({
  method: 'POST',
  path: '/api/user/export',
  summary: '导出我的数据：生成 ZIP，完成后可在 24 小时内下载。',
  auth: 'session',
  limit: { perIp: 5, perUser: 5 },
  input: z.object(proof),
  output: exportState,
});

export const exportStatus = endpoint({
  method: 'POST',
  path: '/api/user/exportStatus',
  summary: '数据导出的进度与下载链接。',
  auth: 'session',
  input: z.object({}),
  output: exportState,
});

/**
 * GET ?id=&until=&sign= → application/zip, by a signed link and only to its logged-in owner; 403 for everybody else and
 * for an expired link.
 */
export const EXPORT_FILE_PATH = '/api/user/exportFile';

/**
 * Message 注销申请已提交. All sessions end. A login within seven days takes the request back; afterwards the account is erased
 * (C-74). Proof: with a phone its code (scene cancel); without a phone the password (`pwd`); without either a login or
 * a scan with the purpose `prove` in the last ten minutes (43 with data.proof).
 */
export const cancelAccount = endpoint({
  method: 'POST',
  path: '/api/user/cancelAccount',
  summary: '注销账号：7 天冷静期内登录即撤销，期满删除个人数据。',
  auth: 'session',
  limit: { perIp: 5, perUser: 5 },
  input: z.object(proof),
  output: z.object({
    erase_at: z.number().int().describe('个人数据将被删除的时间，Unix 秒；在此之前登录即撤销'),
  }),
});

/** `appid` is accepted and ignored: the site has one official account (C-93). */
export const getWxQrCode = endpoint({
  method: 'GET',
  path: '/api/account/getWxQrCode',
  summary: '关注公众号的二维码地址；未接入公众号时为本站网址的二维码。',
  auth: 'none',
  input: z.object({
    code: z
      .string('code 应为文字')
      .max(32, 'code 最多 32 个字符')
      .default('')
      .describe('渠道标记，最多 32 个字符；目前不影响二维码的内容'),
  }),
  output: z.object({ url: z.string().describe('二维码图片的站内路径') }),
});
