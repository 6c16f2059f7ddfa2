import { createDecipheriv, createHash, timingSafeEqual } from 'node:crypto';
import { XMLParser } from 'fast-xml-parser';
import type { OfficialAccountSettings } from './provider-settings.ts';
import type { Push } from '../../ports.ts';

const MAX_BYTES = 65_536;
const MAX_AGE_SECONDS = 300;
const BLOCK = 32;
/** WeChat puts this prefix before the scene when the scan makes the person a follower. */
const FIRST_SCAN = 'qrscene_';

// Entities stay as they are and everything stays text: nothing in a push needs more, and less can go wrong.
const parser = new XMLParser({ processEntities: false, parseTagValue: false, ignoreAttributes: true });

type Keys = Pick<OfficialAccountSettings, 'appId' | 'pushToken' | 'aesKey'>;

/** Returns the `echostr` of WeChat's check of the server URL, when its signature is WeChat's; null otherwise. */
export function readEcho(keys: Keys, query: URLSearchParams): string | null {
  const [timestamp, nonce] = [query.get('timestamp') ?? '', query.get('nonce') ?? ''];
  const isGenuine = isSame(query.get('signature') ?? '', sign(keys.pushToken, timestamp, nonce));
  return isGenuine ? (query.get('echostr') ?? '') : null;
}

/**
 * Reads a push in safe mode. Checks the signature over the time, then the signature over the encrypted text, decrypts
 * it, and checks the appid inside. A push in plain mode is refused whatever its signature says, because that does not
 * cover the body.
 * https://developers.weixin.qq.com/doc/oplatform/Third-party_Platforms/2.0/api/Before_Develop/Technical_Plan.html
 */
export function readPush(keys: Keys, push: { query: URLSearchParams; body: string }, nowMs: number): Push {
  const { query, body } = push;
  if (body.length > MAX_BYTES) return refuse('too long');
  if (query.get('encrypt_type') !== 'aes') return refuse('not in safe mode');
  // Check the signature before the body is parsed: 64 KiB of a stranger's markup would cost more than all that follows.
  const [timestamp, nonce] = [query.get('timestamp') ?? '', query.get('nonce') ?? ''];
  if (!isSame(query.get('signature') ?? '', sign(keys.pushToken, timestamp, nonce))) return refuse('wrong signature');
  if (!(Math.abs(nowMs / 1000 - Number(timestamp)) <= MAX_AGE_SECONDS)) return refuse('too old');
  const sealed = fieldsOf(body)?.['Encrypt'];
  if (!sealed) return refuse('no sealed text');
  const expected = sign(keys.pushToken, timestamp, nonce, sealed);
  if (!isSame(query.get('msg_signature') ?? '', expected)) return refuse('wrong message signature');
  const opened = unseal(keys.aesKey, sealed);
  if (!opened) return refuse('cannot be opened');
  if (opened.appId !== keys.appId) return refuse('for another account');
  const fields = fieldsOf(opened.message);
  return fields ? scanOf(fields) : refuse('not understood');
}

function scanOf(fields: Record<string, string>): Push {
  const { MsgType, Event, EventKey = '', FromUserName: openid = '', CreateTime } = fields;
  const isFirst = Event === 'subscribe' && EventKey.startsWith(FIRST_SCAN);
  if (MsgType !== 'event' || !openid || !(isFirst || Event === 'SCAN')) return { kind: 'other' };
  const scene = isFirst ? EventKey.slice(FIRST_SCAN.length) : EventKey;
  return { kind: 'scan', scene, openid, event: isFirst ? 'subscribe' : 'SCAN', at: Number(CreateTime) };
}

const refuse = (why: string): Push => ({ kind: 'not-genuine', why });

const sign = (...parts: string[]) => createHash('sha1').update(parts.toSorted().join('')).digest('hex');

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Decrypts AES-256-CBC padded to 32 bytes: sixteen random bytes, length (uint32 BE), message, appid. Returns null for
 * anything else.
 */
function unseal(encodingKey: string, sealed: string): { message: string; appId: string } | null {
  try {
    const key = Buffer.from(`${encodingKey}=`, 'base64');
    const decipher = createDecipheriv('aes-256-cbc', key, key.subarray(0, 16)).setAutoPadding(false);
    const padded = Buffer.concat([decipher.update(sealed, 'base64'), decipher.final()]);
    const padding = padded.at(-1) ?? 0;
    if (padding < 1 || padding > BLOCK) return null;
    const plain = padded.subarray(16, padded.length - padding);
    const length = plain.readUInt32BE(0);
    if (4 + length > plain.length) return null;
    return {
      message: plain.subarray(4, 4 + length).toString('utf8'),
      appId: plain.subarray(4 + length).toString('utf8'),
    };
  } catch {
    return null;
  }
}

/** Returns the text fields inside <xml>; null for any other document. */
function fieldsOf(text: string): Record<string, string> | null {
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) return null;
  try {
    const document: unknown = parser.parse(text);
    if (typeof document !== 'object' || document === null || !('xml' in document)) return null;
    const { xml } = document;
    if (typeof xml !== 'object' || xml === null) return null;
    return Object.fromEntries(Object.entries(xml).filter(([, value]) => typeof value === 'string'));
  } catch {
    return null;
  }
}
