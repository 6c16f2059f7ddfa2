import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { addPerson, encoded } from '../../../tests/people.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { usernameLogin } from '../../accounts/contract.ts';
import { accountCommands } from '../../accounts/server/commands.ts';
import { dayText } from '../../library/rules.ts';
import { PERSONAL_DATA } from '../../slices.ts';
import { runCommandLine } from '../../platform/command-line.ts';
import { getMine } from '../contract.ts';
import { membershipCommands } from './commands.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** Runs `ceku …` against the app; what it printed and ended with. */
async function ceku(line: string): Promise<{ code: number; out: string; err: string }> {
  const written = { out: '', err: '' };
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((written.out += String(text))));
  const err = vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((written.err += String(text))));
  try {
    const program = new Command('ceku');
    accountCommands(program, (work) => work(app.ctx), PERSONAL_DATA);
    membershipCommands(program, (work) => work(app.ctx), PERSONAL_DATA);
    return { code: await runCommandLine(program, line.split(' ')), ...written };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

const json = async (line: string): Promise<unknown> => JSON.parse((await ceku(`${line} --json`)).out);

describe('ceku user', () => {
  it('makes an account that can log in, once', async () => {
    expect(await ceku('user create --username Li.Si --password fangan-2026 --phone 13800001234')).toEqual({
      code: 0,
      out: expect.stringMatching(/^User li\.si has id \d+\.\n$/),
      err: '',
    });
    const login = await app.call(usernameLogin, { username: 'li.si', password: encoded('fangan-2026') });
    expect(login.code).toBe(0);
    for (const again of ['--username li.si', '--username other --phone 13800001234']) {
      expect(await ceku(`user create ${again} --password fangan-2026`)).toMatchObject({
        code: 65,
        err: 'That user name or phone belongs to an account already.\n',
      });
    }
    expect(await json('user show --phone 13800001234')).toMatchObject({ username: 'li.si', balance: 0, tier: 0 });
    expect((await ceku('user list')).out).toContain('li.si\t138****1234\tactive\tli.si');
  });

  it('grants coins and days, once for the same ref', async () => {
    const { id, username } = await addPerson(app);
    expect(await json(`user grant-coins --username ${username} --coins 30 --reason gift`)).toEqual({
      id,
      granted: true,
      balance: 30,
    });
    expect(await json(`user grant-coins --id ${id} --coins 5 --reason gift --ref a1`)).toMatchObject({ balance: 35 });
    expect(await json(`user grant-coins --id ${id} --coins 5 --reason gift --ref a1`)).toMatchObject({
      granted: false,
      balance: 35,
    });
    expect(await ceku(`user grant-coins --id ${id} --coins 6 --reason gift --ref a1`)).toMatchObject({ code: 65 });
    expect((await ceku(`user grant-vip --id ${id} --tier 2 --days 30 --reason gift`)).out).toMatch(
      /Now advanced until \d{4}-/,
    );
    expect((await ceku(`user show --id ${id}`)).out).toMatch(/coins: 35\nmembership: advanced until/);
  });

  it('refuses an empty ref, which would grant with each run', async () => {
    const { id } = await addPerson(app);
    // Split at its spaces, the line ends with an empty word, as a script's empty variable gives.
    for (const grant of ['grant-coins --coins 5', 'grant-vip --tier 1 --days 5'])
      expect(await ceku(`user ${grant} --id ${id} --reason gift --ref `)).toMatchObject({
        code: 2,
        err: expect.stringContaining('A reference cannot be empty'),
      });
    expect(await json(`user show --id ${id}`)).toMatchObject({ balance: 0, tier: 0 });
  });

  it('says both memberships while both run, the granted one first', async () => {
    const { id, username } = await addPerson(app);
    const day = (days: number) => dayText(new Date(app.ctx.clock.now() + days * 86_400_000));
    await ceku(`user grant-vip --id ${id} --tier 2 --days 10 --reason gift`);
    const both = `advanced until ${day(10)}, then standard until ${day(38)}`;
    await ceku(`user grant-vip --id ${id} --tier 1 --days 7 --reason gift`);
    expect((await ceku(`user show --id ${id}`)).out).toContain(
      `membership: advanced until ${day(10)}, standard until ${day(7)}\n`,
    );
    expect((await ceku(`user grant-vip --id ${id} --tier 1 --days 31 --reason gift`)).out).toBe(
      `User ${username} (id ${id}) was granted 31 days: standard until ${day(38)}. Now ${both}.\n`,
    );
    expect((await ceku(`user show --id ${id}`)).out).toContain(`membership: ${both}\n`);
  });

  it('bans, lets back in, and sets a password', async () => {
    const { id, username } = await addPerson(app);
    const login = async (password: string) =>
      (await app.call(usernameLogin, { username, password: encoded(password) })).code;
    expect(await json(`user ban --id ${id}`)).toEqual({ id, state: 'banned', sessionsEnded: 1 });
    expect(await login('demo-1234')).toBe(1);
    expect((await ceku(`user unban --id ${id}`)).code).toBe(0);
    expect((await ceku(`user set-password --id ${id} --password new-password-1`)).code).toBe(0);
    expect(await login('demo-1234')).toBe(1);
    expect(await login('new-password-1')).toBe(0);
  });

  it('writes everything about a user to a file, never over another', async () => {
    const { id, username } = await addPerson(app);
    await ceku(`user grant-coins --id ${id} --coins 7 --reason gift`);
    const file = join(app.dataDir, `${username}.zip`);
    expect((await ceku(`user export --username ${username} --to ${file}`)).out).toContain(`is in ${file} (`);
    const names = Object.keys(unzipSync(await readFile(file)));
    expect(names).toEqual(expect.arrayContaining(['account.json', 'coins.json', 'downloads.json', 'sessions.json']));
    expect(await ceku(`user export --id ${id} --to ${file}`)).toEqual({
      code: 73,
      out: '',
      err: `${file} exists already.\n`,
    });
    expect(await ceku(`user export --id ${id} --to ${file}/no/folder`)).toMatchObject({
      code: 73,
      err: expect.stringMatching(/cannot be written: a file is in the way/),
    });
  });

  it('erases a user who is named and confirmed, once, and then does nothing more with them', async () => {
    const { id, username, token } = await addPerson(app);
    await ceku(`user grant-coins --id ${id} --coins 7 --reason gift`);
    expect(await ceku(`user erase --id ${id}`)).toMatchObject({ code: 2, err: expect.stringMatching(/Add --yes/) });
    expect((await app.call(getMine, {}, token)).code).toBe(0);
    expect(await json(`user erase --id ${id} --yes`)).toEqual({ id, state: 'erased' });
    expect((await app.call(getMine, {}, token)).code).toBe(2);
    expect(await ceku(`user show --username ${username}`)).toMatchObject({ code: 65 });
    expect(await json(`user show --id ${id}`)).toMatchObject({ state: 'erased', username: null, balance: 7 });
    for (const line of [
      'ban',
      'unban',
      'erase --yes',
      'grant-coins --coins 1 --reason x',
      'set-password --password fangan-2031',
    ]) {
      expect(await ceku(`user ${line} --id ${id}`)).toMatchObject({ code: 65, err: `The account ${id} was erased.\n` });
    }
    expect((await ceku('ledger verify')).code).toBe(0);
  });

  it.each([
    ['user erase --yes', 2, /--username, --phone or --id/],
    ['user erase --yes --phone 13900009999', 65, /no such user/],
    ['user export --id 10001', 2, /--to/],
    ['user export --username nobody-here --to /tmp/x', 65, /no such user/],
    ['user show', 2, /--username, --phone or --id/],
    ['user show --id 10001 --username demo', 2, /one of/],
    ['user show --id 999999', 65, /no such user/],
    ['user show --id abc', 2, /whole number/],
    ['user show --phone 123', 2, /11 digits/],
    ['user show --nonsense', 2, /unknown option/],
    ['user nonsense', 2, /unknown command/],
    ['user create --username a --password fangan-2026', 2, /3 to 32/],
    ['user create --username abc --password short', 2, /8 to 64/],
    ['user create --username abc', 2, /--password/],
    ['user grant-coins --id 10001 --coins 0 --reason x', 2, /from 1 to 1000000/],
    ['user grant-coins --id 10001 --coins 1000001 --reason x', 2, /from 1 to 1000000/],
    ['user grant-coins --id 10001 --coins 1e3 --reason x', 2, /whole number/],
    ['user grant-coins --id 10001 --coins 5', 2, /--reason/],
    ['user grant-vip --id 10001 --tier 3 --days 1 --reason x', 2, /from 1 to 2/],
  ])('%s ends with %i', async (line, code, words) => {
    const ended = await ceku(line);
    expect(ended).toMatchObject({ code, out: '' });
    expect(ended.err).toMatch(words);
    expect(ended.err).not.toContain(' at ');
  });
});

describe('ceku ledger verify', () => {
  it('ends with the number of violations, and not with 0 when there are any', async () => {
    expect(await ceku('ledger verify')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/violations: 0\n$/),
      err: '',
    });
    expect(await json('ledger verify')).toMatchObject({ violations: [] });
    const { id } = await addPerson(app);
    await app.ctx.db.execute(`insert into coin_accounts values (${id}, 5)`);
    const broken = await ceku('ledger verify');
    expect(broken.code).toBe(1);
    expect(broken.out).toContain(`balance is the sum of the entries (INV-01): user ${id}: balance 5, entries 0`);
    expect(broken.out).toMatch(/violations: 1\n$/);
  });
});
