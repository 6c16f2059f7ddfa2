import { createCipheriv, createHash, randomBytes, randomInt } from 'node:crypto';
import { openidOf, type Person, type World } from './world.ts';

/** The path of the server URL that the site is configured with at WeChat. */
const SERVER_PATH = '/api/wechat/official';
const ANSWER_MS = 5_000;
const TRIES = 3;

const sha1 = (...parts: string[]) => createHash('sha1').update(parts.sort().join('')).digest('hex');

/** Checks a server URL as WeChat does when it is saved: the site must answer with `echostr`. */
export async function checkServerUrl(world: World, siteUrl: string): Promise<boolean> {
  const echo = String(randomInt(1e9, 1e10));
  const { timestamp, nonce } = stamp();
  const { token } = world.accounts.official;
  const query = new URLSearchParams({ signature: sha1(token, timestamp, nonce), timestamp, nonce, echostr: echo });
  const answer = await fetch(`${siteUrl}${SERVER_PATH}?${query}`, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    (response) => response.text(),
    () => null,
  );
  return answer === echo;
}

/** The result of a push: the last answer, and the number of attempts. */
export type Pushed = { ok: boolean; status: number | null; tries: number };

/**
 * Pushes the event of a scanned code to the server URL in safe mode. Tried up to three times when the answer is late,
 * not 200, or neither `success` nor empty.
 * https://developers.weixin.qq.com/doc/offiaccount/Message_Management/Receiving_event_pushes.html
 */
export async function pushScan(
  world: World,
  scene: { scene: string; ticket: string },
  person: Person,
): Promise<Pushed> {
  const isFollowing = world.followers.has(person.key);
  world.followers.add(person.key);
  const fault = world.faults.take('push');
  world.calls.set('push', (world.calls.get('push') ?? 0) + 1);
  const message = eventXml({
    openid: openidOf(world.accounts.official.appId, person),
    event: isFollowing ? 'SCAN' : 'subscribe',
    key: isFollowing ? scene.scene : `qrscene_${scene.scene}`,
    ticket: scene.ticket,
  });
  if (fault?.fault === 'delay') await new Promise((resolve) => setTimeout(resolve, fault.ms));
  if (fault?.fault === 'twice') await post(world, message, null);
  let pushed: Pushed = { ok: false, status: null, tries: 0 };
  while (!pushed.ok && pushed.tries < TRIES) {
    const { ok, status } = await post(world, message, fault?.fault ?? null);
    pushed = { ok, status, tries: pushed.tries + 1 };
    // A push that is wrong on purpose is refused each time, so it is sent once.
    if (fault) break;
  }
  return pushed;
}

async function post(
  world: World,
  message: string,
  fault: string | null,
): Promise<{ ok: boolean; status: number | null }> {
  if (world.siteUrl === null) return { ok: false, status: null };
  const { token, aesKey } = world.accounts.official;
  const now = fault === 'stale' ? Date.now() - 400_000 : Date.now();
  const { timestamp, nonce } = stamp(now);
  const encrypted = encrypt(world, message, aesKey);
  const isPlain = fault === 'unsigned';
  const signature = sha1(fault === 'wrong-sign' ? `${token}x` : token, timestamp, nonce, encrypted);
  const query = new URLSearchParams({
    signature: sha1(token, timestamp, nonce),
    timestamp,
    nonce,
    ...(!isPlain && { encrypt_type: 'aes', msg_signature: signature }),
  });
  const sealed = `<xml><ToUserName><![CDATA[gh_outside]]></ToUserName><Encrypt><![CDATA[${encrypted}]]></Encrypt></xml>`;
  try {
    const response = await fetch(`${world.siteUrl}${SERVER_PATH}?${query}`, {
      method: 'POST',
      headers: { 'content-type': 'text/xml' },
      body: isPlain ? message : sealed,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const text = (await response.text()).trim();
    return { ok: response.status === 200 && (text === '' || text === 'success'), status: response.status };
  } catch {
    return { ok: false, status: null };
  }
}

const stamp = (now = Date.now()) => ({
  timestamp: String(Math.floor(now / 1000)),
  nonce: String(randomInt(1e9, 1e10)),
});

function eventXml(event: { openid: string; event: string; key: string; ticket: string }): string {
  const fields = [
    '<ToUserName><![CDATA[gh_outside]]></ToUserName>',
    `<FromUserName><![CDATA[${event.openid}]]></FromUserName>`,
    `<CreateTime>${Math.floor(Date.now() / 1000)}</CreateTime>`,
    '<MsgType><![CDATA[event]]></MsgType>',
    `<Event><![CDATA[${event.event}]]></Event>`,
    `<EventKey><![CDATA[${event.key}]]></EventKey>`,
    `<Ticket><![CDATA[${event.ticket}]]></Ticket>`,
  ];
  return `<xml>${fields.join('')}</xml>`;
}

/**
 * Encrypts a message: sixteen random bytes, the length, the message and the appid, padded to blocks of 32, in
 * AES-256-CBC.
 */
function encrypt(world: World, message: string, encodingKey: string): string {
  const key = Buffer.from(`${encodingKey}=`, 'base64');
  const text = Buffer.from(message);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  const plain = Buffer.concat([randomBytes(16), length, text, Buffer.from(world.accounts.official.appId)]);
  const padding = 32 - (plain.length % 32);
  const cipher = createCipheriv('aes-256-cbc', key, key.subarray(0, 16)).setAutoPadding(false);
  return Buffer.concat([cipher.update(plain), cipher.update(Buffer.alloc(padding, padding)), cipher.final()]).toString(
    'base64',
  );
}
