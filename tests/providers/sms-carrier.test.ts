import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ProviderRefused, ProviderUnavailable, type SmsCarrier } from '../../src/accounts/ports.ts';
import { canonicalQuery, createAliyunSms, signAcs3 } from '../../src/accounts/server/adapters/aliyun-sms.ts';
import { createTencentSms, signTc3 } from '../../src/accounts/server/adapters/tencent-sms.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createOutbound } from '../../src/platform/http/outbound.ts';
import { createLog } from '../../src/platform/log.ts';
import type { SmsSettings } from '../../src/accounts/server/adapters/provider-settings.ts';
import { openOutside, type OutsideServer } from '../../src/outside/server.ts';
import { control, settingsOf } from '../outside.ts';

let outside: OutsideServer;
beforeAll(async () => {
  outside = await openOutside({ host: '127.0.0.1', port: 0 });
});
afterEach(() => control(outside, 'DELETE', 'faults'));
afterAll(() => outside.close());

let lines: string[] = [];
const log = createLog('trace', { write: (line: string) => void lines.push(line) });
const parts = (timeoutMs = 5_000) => ({ clock: systemClock, outbound: createOutbound(log, timeoutMs) });

type Open = (settings: SmsSettings, more: ReturnType<typeof parts>) => SmsCarrier;
const adapters: [name: 'aliyun' | 'tencent', open: Open][] = [
  ['aliyun', createAliyunSms],
  ['tencent', createTencentSms],
];

describe.each(adapters)('%s', (name, open) => {
  let serial = 0;
  const settings = (change: Partial<SmsSettings> = {}): SmsSettings => {
    const { sms } = settingsOf(outside, name);
    if (!sms) throw new Error('the outside world opened no account with a carrier');
    return { ...sms, ...change };
  };
  const message = () => {
    serial += 1;
    const phone = `13${name === 'aliyun' ? '1' : '2'}${String(serial).padStart(8, '0')}`;
    return { phone, code: '048213', reference: `ceku-${serial}` };
  };
  const calls = async () => Number((await control(outside, 'GET', 'calls'))['sms'] ?? 0);
  const fails = (fault: string, times = 1) => control(outside, 'POST', 'faults', { target: 'sms', fault, times });
  const received = (phone: string) => outside.world.messages.filter((one) => one.phone === phone);
  /** Returns the error of a send that fails. */
  const failure = (carrier: SmsCarrier, what = message()) =>
    carrier.send(what).then(
      () => expect.unreachable('it was sent'),
      (error: unknown) => error,
    );

  test('a code arrives on the phone it was sent to, once, with its leading zero', async () => {
    const sent = message();
    expect(await open(settings(), parts()).send(sent)).toBe('sent');
    expect(received(sent.phone)).toMatchObject([{ code: '048213', carrier: name }]);
    expect(await control(outside, 'GET', `sms?phone=${sent.phone}`)).toMatchObject({ code: '048213', count: 1 });
  });

  test('ten at once all arrive', async () => {
    const carrier = open(settings(), parts());
    const all = Array.from({ length: 10 }, message);
    expect(await Promise.all(all.map((one) => carrier.send(one)))).toHaveLength(10);
    expect(all.map(({ phone }) => received(phone).length)).toEqual(Array(10).fill(1));
  });

  test('the log of a send names the carrier and neither phone, code nor keys', async () => {
    lines = [];
    const sent = message();
    const { keyId, keySecret } = settings();
    await open(settings(), parts()).send(sent);
    await fails('reset');
    await failure(open(settings(), parts()), sent);
    const written = lines.join('\n');
    expect(written).toContain(`/${name}/`);
    for (const secret of [sent.phone, sent.code, keyId, keySecret]) expect(written).not.toContain(secret);
  });

  test.each([
    ['a wrong secret', { keySecret: 'x'.repeat(30) }],
    ['an unknown key', { keyId: 'LTAI0000000000000000' }],
    ['an unapproved signature name', { signName: '别家' }],
    ['an unknown template', { templateId: 'SMS_404' }],
  ])('%s: refused as not-authorised, nothing sent', async (_what, change) => {
    const sent = message();
    expect(await failure(open(settings(change), parts()), sent)).toMatchObject({ reason: 'not-authorised' });
    expect(received(sent.phone)).toEqual([]);
  });

  test('a clock that is an hour behind: not-authorised', async () => {
    const clock = { now: () => Date.now() - 3_600_000 };
    const error = await failure(open(settings(), { ...parts(), clock }));
    expect(error).toBeInstanceOf(ProviderRefused);
    expect(error).toMatchObject({ reason: 'not-authorised' });
  });

  test.each([
    ['limit', 'too-many'],
    ['bad-number', 'bad-number'],
    ['no-credit', 'no-credit'],
    ['wrong-sign', 'not-authorised'],
  ])('%s: refused as %s, whatever the HTTP status', async (fault, reason) => {
    await fails(fault);
    const sent = message();
    const error = await failure(open(settings(), parts()), sent);
    expect(error).toBeInstanceOf(ProviderRefused);
    expect(error).toMatchObject({ provider: `${name}-sms`, reason });
    expect(received(sent.phone)).toEqual([]);
  });

  test('a number that is none: refused by the carrier', async () => {
    const error = await failure(open(settings(), parts()), { ...message(), phone: '12345' });
    expect(error).toMatchObject({ reason: 'bad-number' });
  });

  test.each(['error-json', '500', 'html', 'reset'])('%s: unavailable, outcome unknown, asked once', async (fault) => {
    await fails(fault);
    const before = await calls();
    const error = await failure(open(settings(), parts()));
    expect(error).toBeInstanceOf(ProviderUnavailable);
    expect(error).toMatchObject({ isOutcomeUnknown: true });
    expect(await calls()).toBe(before + 1);
  });

  test('a carrier that hangs: unavailable, outcome unknown, not asked again', async () => {
    await fails('hang');
    const before = await calls();
    const error = await failure(open(settings(), parts(300)));
    expect(error).toBeInstanceOf(ProviderUnavailable);
    expect(error).toMatchObject({ isOutcomeUnknown: true });
    expect(await calls()).toBe(before + 1);
  });

  test('sent, and the answer lost: unknown, and the phone has it once', async () => {
    await fails('lost');
    const sent = message();
    expect(await failure(open(settings(), parts()), sent)).toMatchObject({ isOutcomeUnknown: true });
    expect(received(sent.phone)).toHaveLength(1);
  });

  test('nobody listens: unavailable, and surely not sent', async () => {
    const gone = await openOutside({ host: '127.0.0.1', port: 0 });
    await gone.close();
    const error = await failure(open(settings({ apiUrl: gone.url }), parts()));
    expect(error).toBeInstanceOf(ProviderUnavailable);
    expect(error).toMatchObject({ isOutcomeUnknown: false });
  });

  test('a late answer within the time is an answer', async () => {
    await control(outside, 'POST', 'faults', { target: 'sms', fault: 'delay', ms: 200 });
    expect(await open(settings(), parts()).send(message())).toBe('sent');
  });
});

describe("the vendors' own examples", () => {
  test('ACS3-HMAC-SHA256 of Aliyun: the signature printed in its documentation', () => {
    const url = new URL('https://ecs.cn-shanghai.aliyuncs.com/');
    url.search = canonicalQuery({
      RegionId: 'cn-shanghai',
      ImageId: 'win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd',
    });
    const headers = signAcs3({
      keyId: 'YourAccessKeyId',
      keySecret: 'YourAccessKeySecret',
      url,
      action: 'RunInstances',
      version: '2014-05-26',
      now: Date.parse('2023-10-26T10:22:32Z'),
      nonce: '3156853299f313e23d1673dc12e1703d',
    });
    expect(headers['authorization']).toMatch(/06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0$/);
  });

  test('TC3-HMAC-SHA256 of Tencent: the signature printed in its documentation', () => {
    const body = '{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}';
    expect(createHash('sha256').update(body).digest('hex')).toMatch(/^35e9c5b0e3ae67532d3c9f17ead6c90222632e5b1ff7f6e/);
    const header = signTc3({
      keyId: 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE',
      keySecret: 'Gu5t9xGARNpq86cd98joQYCN3EXAMPLE',
      service: 'cvm',
      host: 'cvm.tencentcloudapi.com',
      body,
      timestamp: 1_551_113_065,
    });
    expect(header).toMatch(/Signature=72e494ea809ad7a8c8f7a4507b9bddcbaa8e581f516e8da2f66e2c5a96525168$/);
  });
});
