import { z } from 'zod';
import { readWholeSet } from '../../../platform/environment.ts';

/** `apiUrl`: null for the vendor's own address; the pretend outside world states its own. */
export type WeChatApp = { appId: string; appSecret: string; apiUrl: string | null };
/** `pushToken` and `aesKey` are those of the server configuration in safe mode. */
export type OfficialAccountSettings = WeChatApp & { pushToken: string; aesKey: string };
/** `loginPage`: path in the mini program, without a leading slash. */
export type MiniProgramSettings = WeChatApp & { loginPage: string };
/** `appId` and `region` are Tencent's; empty for Aliyun. */
export type SmsSettings = {
  carrier: 'aliyun' | 'tencent';
  keyId: string;
  keySecret: string;
  signName: string;
  templateId: string;
  /** Template of the message to a replaced phone; "" for none. */
  noticeTemplateId: string;
  appId: string;
  region: string;
  apiUrl: string | null;
};

/** Credentials of the vendors; null: not configured. */
export type ProviderSettings = {
  officialAccount: OfficialAccountSettings | null;
  miniProgram: MiniProgramSettings | null;
  sms: SmsSettings | null;
};

/**
 * Where the pretend outside world listens. `port` null: the site's port plus one, or any free port when that one is taken.
 */
export type OutsideSettings = { host: string; port: number | null };

const given = z.string().trim().optional();

/** The environment variables of the vendors. */
export const providerKeys = {
  WECHAT_OFFICIAL_APPID: given,
  WECHAT_OFFICIAL_SECRET: given,
  WECHAT_OFFICIAL_TOKEN: z
    .string()
    .regex(/^[0-9A-Za-z]{3,32}$/, 'must be 3–32 letters and digits, as on mp.weixin.qq.com')
    .optional(),
  WECHAT_OFFICIAL_AES_KEY: z
    .string()
    .regex(/^[0-9A-Za-z]{43}$/, 'must be the EncodingAESKey of 43 characters')
    .optional(),
  WECHAT_MINI_APPID: given,
  WECHAT_MINI_SECRET: given,
  WECHAT_MINI_LOGIN_PAGE: z.string().regex(/^[^/]/, 'must not begin with a slash').optional(),
  SMS_CARRIER: z.enum(['aliyun', 'tencent']).optional(),
  SMS_KEY_ID: given,
  SMS_KEY_SECRET: given,
  SMS_SIGN_NAME: given,
  SMS_TEMPLATE: given,
  SMS_NOTICE_TEMPLATE: given,
  SMS_APP_ID: given,
  SMS_REGION: given,
};

type Keys = { [K in keyof typeof providerKeys]?: string | undefined };

/** Returns the complete sets of credentials; each missing variable of a set that was begun is a problem by its name. */
export function readProviderSettings(keys: Keys): { settings: ProviderSettings; problems: string[] } {
  const problems: string[] = [];
  const complete = <K extends keyof Keys>(required: K[], optional: (keyof Keys)[] = []) =>
    readWholeSet(keys, required, optional, problems);

  const official = complete([
    'WECHAT_OFFICIAL_APPID',
    'WECHAT_OFFICIAL_SECRET',
    'WECHAT_OFFICIAL_TOKEN',
    'WECHAT_OFFICIAL_AES_KEY',
  ]);
  const mini = complete(['WECHAT_MINI_APPID', 'WECHAT_MINI_SECRET'], ['WECHAT_MINI_LOGIN_PAGE']);
  const isTencent = keys.SMS_CARRIER === 'tencent';
  const sms = complete(
    ['SMS_CARRIER', 'SMS_KEY_ID', 'SMS_KEY_SECRET', 'SMS_SIGN_NAME', 'SMS_TEMPLATE'],
    ['SMS_NOTICE_TEMPLATE', 'SMS_APP_ID', 'SMS_REGION'],
  );
  if (isTencent && !keys.SMS_APP_ID) problems.push('SMS_APP_ID: is missing, while SMS_CARRIER is tencent');
  if (keys.SMS_CARRIER === 'aliyun')
    for (const key of ['SMS_APP_ID', 'SMS_REGION'] as const)
      if (keys[key]) problems.push(`${key}: must not be set, while SMS_CARRIER is aliyun: Tencent alone has it`);
  const settings: ProviderSettings = {
    officialAccount: official && {
      appId: official.WECHAT_OFFICIAL_APPID,
      appSecret: official.WECHAT_OFFICIAL_SECRET,
      pushToken: official.WECHAT_OFFICIAL_TOKEN,
      aesKey: official.WECHAT_OFFICIAL_AES_KEY,
      apiUrl: null,
    },
    miniProgram: mini && {
      appId: mini.WECHAT_MINI_APPID,
      appSecret: mini.WECHAT_MINI_SECRET,
      loginPage: keys.WECHAT_MINI_LOGIN_PAGE ?? 'pages/login/index',
      apiUrl: null,
    },
    sms: sms && {
      carrier: isTencent ? 'tencent' : 'aliyun',
      keyId: sms.SMS_KEY_ID,
      keySecret: sms.SMS_KEY_SECRET,
      signName: sms.SMS_SIGN_NAME,
      templateId: sms.SMS_TEMPLATE,
      noticeTemplateId: keys.SMS_NOTICE_TEMPLATE ?? '',
      appId: keys.SMS_APP_ID ?? '',
      region: keys.SMS_REGION ?? 'ap-guangzhou',
      apiUrl: null,
    },
  };
  return { settings, problems };
}
