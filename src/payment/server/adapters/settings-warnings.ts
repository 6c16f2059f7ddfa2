import { statSync } from 'node:fs';
import { readSecretFiles, withLineBreaks, type Given } from '../../../platform/environment.ts';
import { DAY_MS } from '../../../protocol/durations.ts';
import { gatewayKeys } from './gateways.ts';
import { certificateIn, dayOf } from './wechat-pay-settings.ts';

/** A new certificate takes a person with access to the merchant's console, and some days. */
const WARN_DAYS = 30;

/** Permission bits of a file: read or write by other users, write by the group. */
const OPEN_TO_OTHERS = 0o026;

/**
 * Returns a line for the operator about each setting of a payment provider that works today and needs a person: a merchant
 * certificate that ends within 30 days, after which the site would not start; a file with a key that other users of the
 * machine can read or write. Each begins with the name of a variable and holds no value.
 */
export function paymentWarnings(env: Given, now = Date.now()): string[] {
  return [...endingCertificate(env, now), ...Object.keys(gatewayKeys).flatMap((key) => openFile(key, env[key]))];
}

function endingCertificate(env: Given, now: number): string[] {
  const { WECHAT_PAY_CERT: pem = '' } = readSecretFiles(env, ['WECHAT_PAY_CERT']).given;
  const end = certificateIn(withLineBreaks(pem))?.validToDate;
  if (!end || end.getTime() > now + WARN_DAYS * DAY_MS) return [];
  return [
    `WECHAT_PAY_CERT: ends on ${dayOf(end)}, and the site does not start from then on; make a new one on pay.weixin.qq.com`,
  ];
}

function openFile(key: string, path: string | undefined): string[] {
  // Certificates and public keys are no secrets.
  if (!path?.trim() || !/(PRIVATE_KEY|APIV3_KEY)_FILE$/.test(key)) return [];
  const mode = statSync(path.trim(), { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & OPEN_TO_OTHERS) === 0) return [];
  const octal = (mode & 0o777).toString(8).padStart(4, '0');
  return [`${key}: names a file that other users of this machine can read or write (mode ${octal}); chmod 600`];
}
