import { randomBytes } from 'node:crypto';
import { PNG_1X1 } from './one-pixel.ts';
import { ProviderRefused, type AccountProviders } from '../src/accounts/ports.ts';

export type Message = { phone: string; code: string; reference: string };

/** A carrier and WeChat that do what a test says, in process: the vendors' own words are tested in tests/providers. */
export type StandIns = {
  providers: AccountProviders;
  /** Every message the carrier was asked to send, refused ones too. */
  messages: Message[];
  /** Every notice to a replaced phone. */
  notices: { phone: string; tail: string }[];
  /** The code of the newest message to a phone. */
  codeTo(phone: string): string;
  /** Thrown by the next calls of one kind, until set to null. */
  failing: { sms: Error | null; image: Error | null; qr: Error | null; unionid: Error | null };
  /** How many pictures the mini program was asked for. */
  pictures(): number;
  /** Nothing fails any more. */
  mend(): void;
  /** A fresh `wx.login` code of that person, good once. */
  wxCode(openid: string, unionid?: string | null): string;
  /** Makes WeChat wait with its answer about the next `wx.login` code: `asked` settles when that code has come. */
  holdNextCode(): { asked: Promise<void>; release(): void };
  /** The unionid WeChat tells of an official account's openid. */
  unionids: Map<string, string>;
};

export function standInProviders(): StandIns {
  const messages: Message[] = [];
  const notices: { phone: string; tail: string }[] = [];
  let pictures = 0;
  const people = new Map<string, { openid: string; unionid: string | null }>();
  const whole: StandIns['failing'] = { sms: null, image: null, qr: null, unionid: null };
  const failing = { ...whole };
  const unionids = new Map<string, string>();
  let held: { asked: PromiseWithResolvers<void>; released: PromiseWithResolvers<void> } | null = null;
  const unlessFailing = async <T>(what: keyof StandIns['failing'], answer: T): Promise<T> => {
    // Another company is never answered at once: others get their turn meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 2));
    const error = failing[what];
    if (error) throw error;
    return answer;
  };
  return {
    messages,
    notices,
    failing,
    pictures: () => pictures,
    mend: () => void Object.assign(failing, whole),
    unionids,
    codeTo: (phone) => messages.findLast((message) => message.phone === phone)?.code ?? 'no message',
    wxCode(openid, unionid = null) {
      const code = randomBytes(12).toString('hex');
      people.set(code, { openid, unionid });
      return code;
    },
    holdNextCode() {
      const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      held = { asked, released };
      return { asked: asked.promise, release: released.resolve };
    },
    providers: {
      sms: {
        name: 'stand-in',
        async send(message) {
          messages.push(message);
          return unlessFailing('sms', 'sent' as const);
        },
        async tellReplaced({ phone, tail }) {
          notices.push({ phone, tail });
          return unlessFailing('sms', 'sent' as const);
        },
      },
      miniProgram: {
        name: 'stand-in',
        codeImage() {
          pictures += 1;
          return unlessFailing('image', PNG_1X1);
        },
        async openidOf(code) {
          const mine = held;
          held = null;
          mine?.asked.resolve();
          await mine?.released.promise;
          const person = people.get(code);
          people.delete(code);
          if (!person) throw new ProviderRefused('stand-in', 'bad-code', '40029');
          return person;
        },
      },
      officialAccount: {
        name: 'stand-in',
        createQr: ({ scene, ttlSeconds }) =>
          unlessFailing('qr', { qrUrl: `http://weixin.qq.com/q/${scene}`, ttlSeconds }),
        unionidOf: (openid) => unlessFailing('unionid', unionids.get(openid) ?? null),
        echo: (query) => (query.get('signature') === 'genuine' ? query.get('echostr') : null),
        readPush({ query, body }) {
          if (query.get('signature') !== 'genuine') return { kind: 'not-genuine', why: 'signature' };
          const [scene, openid] = body.split(' ');
          if (!scene || !openid) return { kind: 'other' };
          return { kind: 'scan', scene, openid, event: 'SCAN', at: 0 };
        },
      },
    },
  };
}
