import { createHash, randomBytes } from 'node:crypto';
import { createAlipay, type Alipay } from './alipay/alipay.ts';
import { createFaultScripts, type FaultScripts } from './fault-scripts.ts';
import type { Script, Target } from './faults.ts';
import { createWechatPay, type WechatPay } from './wechat-pay/wechat-pay.ts';
import { letters } from './random-text.ts';

/**
 * A person with WeChat on a phone. `key` identifies the person; openids are derived from it, so that they survive a
 * restart.
 */
export type Person = { key: string; nickname: string };

/** A QR code that was made for the site and has not expired. */
export type Scene = {
  kind: 'official' | 'mini';
  scene: string;
  ticket: string;
  createdAt: number;
  expiresAt: number;
  /** The person who scanned the code, and the state of the scan. */
  person: Person | null;
  state: 'waiting' | 'scanned' | 'confirmed' | 'cancelled';
  /** The content of the mini program's confirm page, as the site sent it. */
  asks: Record<string, unknown>;
  /** The last message on the phone's screen. */
  note: string;
};

export type Message = { phone: string; code: string; text: string; carrier: string; at: string };

/** Credentials of the site: new at each start, so that no other program can know them. */
type Accounts = ReturnType<typeof openAccounts>;

function openAccounts() {
  return {
    official: {
      appId: 'wx00000000outside0',
      secret: randomBytes(16).toString('hex'),
      token: letters(24),
      aesKey: aesKey(),
    },
    mini: { appId: 'wx11111111outside1', secret: randomBytes(16).toString('hex') },
    aliyun: {
      keyId: `LTAI5t${letters(18)}`,
      keySecret: letters(30),
      signName: '策库',
      templateId: 'SMS_100000001',
      noticeTemplateId: 'SMS_100000002',
    },
    tencent: {
      keyId: `AKID${letters(32)}`,
      keySecret: letters(32),
      signName: '策库',
      templateId: '1100001',
      noticeTemplateId: '1100002',
      appId: '1400000001',
    },
  };
}

/** Returns 43 characters of Base64 that stand for 32 bytes; the last character carries four bits. */
function aesKey(): string {
  for (;;) {
    const key = randomBytes(32).toString('base64').slice(0, 43);
    if (/^[0-9A-Za-z]{43}$/.test(key)) return key;
  }
}

/** The state, in memory: a code lives two minutes, and people are derived from their keys. */
export type World = {
  url: string;
  accounts: Accounts;
  wechatPay: WechatPay;
  faults: FaultScripts<Target, Script>;
  /** Address of the site; null until the site has sent an address that passed the check. */
  siteUrl: string | null;
  people: Map<string, Person>;
  /** People who follow the official account: their first scan is `subscribe`, later ones are SCAN. */
  followers: Set<string>;
  scenes: Map<string, Scene>;
  /** js codes of wx.login not yet exchanged. */
  jsCodes: Map<string, { person: Person; expiresAt: number }>;
  messages: Message[];
  alipay: Alipay;
  /** Number of calls of each kind. */
  calls: Map<string, number>;
};

export function createWorld(url: string): World {
  const people: Person[] = [
    { key: 'xiaoce', nickname: '小策' },
    { key: 'lili', nickname: '李丽' },
    { key: 'wangqiang', nickname: '王强' },
  ];
  const accounts = openAccounts();
  return {
    url,
    accounts,
    // A merchant is bound to its official account.
    wechatPay: createWechatPay(accounts.official.appId),
    faults: createFaultScripts(({ target }) => target),
    siteUrl: null,
    people: new Map(people.map((person) => [person.key, person])),
    followers: new Set(),
    scenes: new Map(),
    jsCodes: new Map(),
    messages: [],
    alipay: createAlipay(),
    calls: new Map(),
  };
}

const digest = (...parts: string[]) => createHash('sha256').update(parts.join('/')).digest('base64url');

/** Returns an openid: 28 characters, different for each app. A key that looks like an openid is used as it is. */
export const openidOf = (appId: string, person: Person) =>
  person.key.startsWith('o') && person.key.length === 28 ? person.key : `o${digest(appId, person.key).slice(0, 27)}`;

/** Returns a unionid, the same in all apps of one Open Platform account. */
export const unionidOf = (person: Person) => `oU${digest('union', person.key).slice(0, 26)}`;

/** Finds a person by key or openid, or creates a new person. */
export function meet(world: World, key: string, nickname?: string): Person {
  const { official, mini } = world.accounts;
  const known = [...world.people.values()].find(
    (person) => person.key === key || [official.appId, mini.appId].some((appId) => openidOf(appId, person) === key),
  );
  if (known) return known;
  const person = { key, nickname: nickname || `微信用户${key.slice(0, 4)}` };
  world.people.set(key, person);
  return person;
}

/** Removes expired scenes and codes, and all but the newest 10,000 messages. */
export function sweep(world: World, now = Date.now()): void {
  for (const [key, scene] of world.scenes) if (scene.expiresAt < now) world.scenes.delete(key);
  for (const [key, code] of world.jsCodes) if (code.expiresAt < now) world.jsCodes.delete(key);
  if (world.messages.length > 10_000) world.messages.splice(0, world.messages.length - 10_000);
}

/** The approved text of the notice to the phone that an account was bound to before, the same with both carriers. */
export const NOTICE = '您的账号已改绑尾号为 ${tail} 的手机号。如非本人操作，请立即联系客服。';

/**
 * Delivers a message to its phone. `template` is the approved text, with its one place for `value`. `code`: "" in a
 * notice.
 */
export function deliver(
  world: World,
  message: { carrier: 'aliyun' | 'tencent'; phone: string; code: string; value: string; template: string },
): void {
  const { signName } = world.accounts[message.carrier];
  world.messages.push({
    phone: message.phone.replace(/^\+?86/, ''),
    code: message.code,
    text: `【${signName}】${message.template.replace(/\$\{\w+\}/, message.value)}`,
    carrier: message.carrier,
    at: new Date().toISOString(),
  });
  sweep(world);
}

/** Returns the messages, newest first. */
export const messagesTo = (world: World, phone: string) =>
  world.messages.filter((message) => message.phone === phone).toReversed();
