import { createCipheriv, createSign, createVerify, randomBytes, type KeyObject } from 'node:crypto';
import type { FaultScript } from './faults.ts';
import { nowOf, type SigningMode, type WechatPay } from './wechat-pay.ts';

const SCHEME = 'WECHATPAY2-SHA256-RSA2048 ';
const CLOCK_SECONDS = 300;
const STALE_MS = 400_000;

/**
 * Returns why a request is not the merchant's; null when it is. `target`: path and query as they were sent. `body`: the
 * exact bytes. https://pay.weixin.qq.com/doc/v3/merchant/4012365336
 */
export function unauthorised(
  pay: WechatPay,
  request: { method: string; target: string; authorization: string | undefined; body: Uint8Array },
): string | null {
  const { method, target, authorization, body } = request;
  if (!authorization?.startsWith(SCHEME)) return 'Http头Authorization不存在或认证类型不正确';
  const fields = new Map<string, string>();
  for (const pair of authorization.slice(SCHEME.length).split(',')) {
    const [, name, value] = /^\s*(\w+)="([^"]*)"\s*$/.exec(pair) ?? [];
    if (name === undefined || value === undefined || fields.has(name)) return 'Http头Authorization值格式错误';
    fields.set(name, value);
  }
  const names = ['mchid', 'serial_no', 'nonce_str', 'timestamp', 'signature'];
  const [mchid, serial, nonce, timestamp, signature] = names.map((name) => fields.get(name) ?? '');
  if (!mchid || !serial || !nonce || !timestamp || !signature) return 'Http头Authorization值缺少字段';
  if (mchid !== pay.mchId) return '商户号不存在';
  if (serial !== pay.keys.merchant.serial) return '商户证书序列号有误，请使用签名私钥匹配的证书序列号';
  if (!/^\d{10}$/.test(timestamp) || Math.abs(nowOf(pay) / 1000 - Number(timestamp)) > CLOCK_SECONDS)
    return 'Http头Authorization中的timestamp与发起请求的时间不得超过5分钟';
  const head = Buffer.from(`${method}\n${target}\n${timestamp}\n${nonce}\n`);
  const isRight = createVerify('RSA-SHA256')
    .update(Buffer.concat([head, body, Buffer.from('\n')]))
    .verify(pay.keys.merchant.publicKey, signature, 'base64');
  return isRight ? null : '签名错误，请检查后再试';
}

/** Returns the key that signs: the newest of the mode, or the one of that name. */
function signerOf(pay: WechatPay, mode: SigningMode, named: string | undefined): { id: string; key: KeyObject } {
  const { platform, named: publicKeys } = pay.keys;
  const keys =
    mode === 'certificate'
      ? platform.map(({ serial, privateKey }) => ({ id: serial, key: privateKey }))
      : publicKeys.map(({ id, privateKey }) => ({ id, key: privateKey }));
  const signer = keys.find(({ id }) => id === named) ?? keys.at(-1);
  if (!signer) throw new Error(`WeChat Pay has no key in the mode ${mode}`);
  return signer;
}

/**
 * Returns the headers of an answer or a notification over `text`. `named`: the `Wechatpay-Serial` of the request, which
 * decides what an answer is signed with; a notification follows the merchant's mode.
 */
export function signatureOf(
  pay: WechatPay,
  text: string,
  options: { mode: SigningMode; named?: string | undefined; script: FaultScript | null },
): Record<string, string> {
  const fault = options.script?.fault;
  if (fault === 'unsigned') return {};
  const { id, key } = signerOf(pay, options.mode, options.named);
  const timestamp = String(Math.floor((nowOf(pay) - (fault === 'stale' ? STALE_MS : 0)) / 1000));
  const nonce = randomBytes(16).toString('hex');
  const signed = fault === 'wrong-sign' ? `${text} ` : text;
  const signature = createSign('RSA-SHA256').update(`${timestamp}\n${nonce}\n${signed}\n`).sign(key, 'base64');
  return {
    'wechatpay-timestamp': timestamp,
    'wechatpay-nonce': nonce,
    'wechatpay-serial': fault === 'unknown-serial' ? '7777777777777777777777777777777777777777' : id,
    'wechatpay-signature': fault === 'signtest' ? `WECHATPAY/SIGNTEST/${signature.slice(19)}` : signature,
    'wechatpay-signature-type': 'WECHATPAY2-SHA256-RSA2048',
  };
}

/** Returns how answers to a request are signed: by the key that the request names, else by the platform certificate. */
export const modeOf = (named: string | undefined): SigningMode =>
  named?.startsWith('PUB_KEY_ID_') ? 'public-key' : 'certificate';

/** Encrypts for the merchant with the APIv3 key: AES-256-GCM, the tag behind the ciphertext. */
export function encrypt(pay: WechatPay, text: string, associatedData: string) {
  const nonce = randomBytes(6).toString('hex');
  const cipher = createCipheriv('aes-256-gcm', pay.apiV3Key, nonce).setAAD(Buffer.from(associatedData));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return {
    algorithm: 'AEAD_AES_256_GCM',
    nonce,
    associated_data: associatedData,
    ciphertext: sealed.toString('base64'),
  };
}
