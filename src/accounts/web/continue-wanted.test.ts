import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { continueWanted, keepWanted, takeResume, takeResumeAfter, takeSaid } from './continue-wanted.ts';

const HOUR_MS = 3_600_000;

let loaded: string[];

/** A browser tab at `address` with the notes of its session. */
function openTab(address: string) {
  const notes = new Map<string, string>();
  const location = {
    ...new URL(address, 'https://ceku.test'),
    assign: (to: string) => loaded.push(to),
    reload: () => loaded.push('reload'),
  };
  const go = (to: string) => {
    const { pathname, search, hash } = new URL(to, 'https://ceku.test');
    Object.assign(location, { pathname, search, hash });
  };
  go(address);
  vi.stubGlobal('window', {
    location,
    history: { replaceState: (_state: null, _title: string, to: string) => go(to) },
    sessionStorage: {
      getItem: (name: string) => notes.get(name) ?? null,
      setItem: (name: string, text: string) => notes.set(name, text),
      removeItem: (name: string) => notes.delete(name),
    },
  });
  return { go, notes, address: () => location.pathname + location.search + location.hash };
}

beforeEach(() => {
  loaded = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('after a login the same page is reloaded, says so once, and goes on once with what was wanted', () => {
  openTab('/detail/9?invite=3#p=2');
  continueWanted('登录成功', { key: 'download:9' });
  expect(loaded).toEqual(['reload']);
  expect([takeSaid(), takeSaid()]).toEqual(['登录成功', null]);
  expect([takeResume('download:8'), takeResume('download:9'), takeResume('download:9')]).toEqual([false, true, false]);
});

it('a key that carries what is wanted is read by its beginning, once', () => {
  openTab('/aboutVip');
  continueWanted('登录成功', { key: 'buy:vip:4' });
  expect([takeResumeAfter('download:'), takeResumeAfter('buy:'), takeResumeAfter('buy:')]).toEqual([
    null,
    'vip:4',
    null,
  ]);
});

it('a login that interrupted nothing continues nothing, not even an older wish', () => {
  openTab('/index');
  keepWanted({ key: 'download:9' });
  continueWanted('登录成功', { key: 'download:9' });
  continueWanted('登录成功', null);
  expect(loaded).toEqual(['reload', 'reload']);
  expect(takeResume('download:9')).toBe(false);
});

it('after a payment on another page the page of the wish is opened', () => {
  const tab = openTab('/detail/9#p=12');
  keepWanted({ key: null });
  tab.go('/aboutVip#coins');
  continueWanted('支付成功');
  expect(loaded).toEqual(['/detail/9#p=12']);
  expect([takeSaid(), takeResume('')]).toEqual(['支付成功', false]);
  // The wish is fulfilled: the next payment stays where it is.
  continueWanted('支付成功');
  expect(loaded).toEqual(['/detail/9#p=12', 'reload']);
});

it('a wish for another place of the same page moves there before the page is loaded', () => {
  const tab = openTab('/detail/9');
  continueWanted('支付成功', { key: null, address: '/detail/9#p=12' });
  expect(loaded).toEqual(['reload']);
  expect(tab.address()).toBe('/detail/9#p=12');
});

it('the last wish counts, and a wish of another day does not', () => {
  openTab('/detail/9');
  keepWanted({ key: 'download:9' });
  keepWanted({ key: 'download:10', address: '/detail/10' });
  vi.advanceTimersByTime(HOUR_MS);
  continueWanted('支付成功');
  expect([loaded.at(-1), takeResume('download:10')]).toEqual(['/detail/10', true]);
  keepWanted({ key: 'download:9', address: '/detail/10' });
  vi.advanceTimersByTime(3 * HOUR_MS);
  continueWanted('支付成功');
  expect([loaded.at(-1), takeResume('download:9')]).toEqual(['reload', false]);
});

it('a page that is loaded much later neither says nor does anything', () => {
  openTab('/detail/9');
  continueWanted('登录成功', { key: 'download:9' });
  vi.advanceTimersByTime(HOUR_MS);
  expect([takeSaid(), takeResume('download:9')]).toEqual([null, false]);
});

it.each(['//evil.test/x', 'https://evil.test/', 'javascript:alert(1)', ''])('never leaves the site: %j', (address) => {
  const tab = openTab('/aboutVip');
  tab.notes.set('ceku-wanted', `${Date.now()} download:9 ${address}`);
  continueWanted('支付成功');
  expect(loaded).toEqual(['reload']);
});

it('without storage the page is loaded all the same', () => {
  openTab('/detail/9');
  vi.stubGlobal('window', {
    ...globalThis.window,
    get sessionStorage() {
      throw new Error('blocked');
    },
  });
  keepWanted({ key: 'download:9' });
  continueWanted('登录成功', null);
  expect(loaded).toEqual(['reload']);
  expect([takeSaid(), takeResume('download:9')]).toEqual([null, false]);
});
