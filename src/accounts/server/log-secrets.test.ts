import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { standInProviders } from '../../../tests/stand-in-providers.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { newPhone, openVisitor } from '../../../tests/visitor.ts';
import { getMine } from '../../membership/contract.ts';
import { PERSONAL_DATA } from '../../slices.ts';
import { expectOk } from '../../protocol/call.ts';
import {
  bindPhone,
  cancelAccount,
  exportAccount,
  phoneCodeLogin,
  phoneLogin,
  returnPwd,
  sendPhoneCode,
  updateInfo,
  usernameLogin,
  verifyUserPhone,
  webLogout,
} from '../contract.ts';
import {
  getMiniLoginScene,
  miniLoginChecking,
  miniLoginConfirm,
  miniLoginScanned,
  offiaccountLogin,
  OFFIACCOUNT_EVENTS_PATH,
} from '../contract-scans.ts';
import { ProviderRefused, ProviderUnavailable } from '../ports.ts';
import { eraseUser } from './privacy/delete-account.ts';

let app: TestApp;
let log = '';
const outside = standInProviders();
beforeAll(async () => {
  app = await openTestApp({ providers: outside.providers, logTo: { write: (line) => void (log += line) } });
});
afterAll(() => app.close());

it('a whole journey through every way in, with everything that can fail, leaves no secret in the log (R21)', async () => {
  const secrets = new Set<string>();
  const keep = <T extends string>(secret: T): T => {
    secrets.add(secret);
    return secret;
  };
  const [phone, next] = [keep(newPhone()), keep(newPhone())];
  const password = keep('Geheim-Wort-1');
  const person = openVisitor(app);

  // In by the mini program.
  const scene = keep(expectOk(await person.call(getMiniLoginScene, {})).scene);
  const openid = keep('openid-canary-4711');
  await openVisitor(app).call(miniLoginScanned, { scene, code: keep(outside.wxCode(openid)) });
  await openVisitor(app).call(miniLoginConfirm, { scene, code: keep(outside.wxCode(openid)), nickname: '日志里的人' });
  await person.call(miniLoginChecking, { scene });
  for (const name of ['token', 'sess', 'scene_bind']) keep(person.cookies.get(name) ?? 'no cookie');
  const { uid } = expectOk(await person.call(getMine, {}));

  // A phone, a password, and every way to get them wrong.
  await person.call(sendPhoneCode, { phone, scene: 'bind' });
  await person.call(bindPhone, { phone, pwd: password, code: keep(outside.codeTo(phone)) });
  await openVisitor(app).call(phoneLogin, { phone, pwd: keep('Falsches-Wort-2') });
  await openVisitor(app).call(usernameLogin, {
    username: phone,
    password: keep(Buffer.from(password).toString('base64')),
  });
  const again = openVisitor(app);
  await again.call(phoneLogin, { phone, pwd: password });
  keep(again.cookies.get('token') ?? 'no token');
  await openVisitor(app).call(verifyUserPhone, { phone: next });
  await openVisitor(app).call(phoneCodeLogin, { phone: next, code: keep('918273') });
  for (const error of [
    new ProviderUnavailable('stand-in', 'no answer in time', true),
    new ProviderRefused('stand-in', 'no-credit', 'isv.AMOUNT_NOT_ENOUGH'),
    new Error('something nobody foresaw'),
  ]) {
    outside.failing.sms = error;
    await openVisitor(app)
      .call(sendPhoneCode, { phone: next })
      .catch(() => null);
    app.clock.offsetMs += 61_000;
  }
  outside.failing.sms = null;
  await openVisitor(app).call(sendPhoneCode, { phone, scene: 'reset' });
  await openVisitor(app).call(returnPwd, { phone, pwd: keep('Neues-Wort-3'), code: keep(outside.codeTo(phone)) });

  // By the official account, forged and genuine.
  const official = openVisitor(app);
  const started = keep(expectOk(await official.call(offiaccountLogin, { channel: 'web' })).scene);
  for (const signature of ['forged', 'genuine']) {
    const body = `${started} ${openid}`;
    await app.fetch(`${OFFIACCOUNT_EVENTS_PATH}?signature=${signature}`, { method: 'POST', body });
  }
  await official.call(miniLoginChecking, { scene: started });
  await official.call(updateInfo, { nickname: '日志里的人二' });
  await official.call(exportAccount, {});

  // The database fails in the middle of it.
  await app.ctx.db.execute(sql`alter table sms_codes rename to sms_codes_away`);
  const broken = openVisitor(app).call(sendPhoneCode, { phone });
  await expect(broken).rejects.toMatchObject({ status: 500 });
  await app.ctx.db.execute(sql`alter table sms_codes_away rename to sms_codes`);
  await app.ctx.db.execute(sql`alter table users rename column phone_index to phone_index_away`);
  await expect(openVisitor(app).call(phoneLogin, { phone, pwd: password })).rejects.toMatchObject({ status: 500 });
  await app.ctx.db.execute(sql`alter table users rename column phone_index_away to phone_index`);

  const last = openVisitor(app);
  expectOk(await last.call(phoneLogin, { phone, pwd: 'Neues-Wort-3' }));
  keep(last.cookies.get('token') ?? 'no token');
  app.clock.offsetMs += 61_000;
  await last.call(sendPhoneCode, { scene: 'cancel' });
  await last.call(cancelAccount, { code: keep(outside.codeTo(phone)) });
  await eraseUser(app.ctx, PERSONAL_DATA, uid);
  await last.call(webLogout, {});

  expect(outside.messages.length).toBeGreaterThan(5);
  expect(log.split('\n').length).toBeGreaterThan(8);
  expect(log).toContain('an SMS was not sent');
  expect(log).toContain('unexpected failure');
  // Nothing kept is a placeholder, and none of it is in the log.
  expect([...secrets].filter((secret) => secret.startsWith('no '))).toEqual([]);
  // A code of six digits by itself, for the middle of a request's id may look like one.
  const isInLog = (secret: string) =>
    /^\d{6}$/.test(secret) ? new RegExp(`\\b${secret}\\b`).test(log) : log.includes(secret);
  expect([...secrets].filter(isInLog)).toEqual([]);
});
