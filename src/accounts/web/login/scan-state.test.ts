import { expect, test } from 'vitest';
import { FRESH_SCAN, MAX_CODES, nextScan, scenesToPoll, type Scan, type ScanEvent } from './scan-state.ts';

const scene = (id: string) => ({ id, image: `/code/${id}` });
const after = (...events: ScanEvent[]): Scan => events.reduce(nextScan, FRESH_SCAN);
const made = (id: string): ScanEvent => ({ type: 'made', scene: scene(id) });
const seconds = (count: number): ScanEvent[] => Array.from({ length: count }, () => ({ type: 'second' }));
const polled = (scan: Scan) => scenesToPoll(scan).map(({ id }) => id);

test('a code counts down from 20 and is then to be replaced, still shown meanwhile', () => {
  expect(after(made('a'), ...seconds(19))).toMatchObject({ phase: 'waiting', secondsLeft: 1, isCodeWanted: false });
  const due = after(made('a'), ...seconds(20));
  expect(due).toMatchObject({ phase: 'waiting', secondsLeft: 0, isCodeWanted: true });
  expect(polled(due)).toEqual(['a']);
  expect(nextScan(due, made('b'))).toMatchObject({ secondsLeft: 20, isCodeWanted: false });
});

test('the newest two are asked about: a scan of the one before still logs in', () => {
  const three = after(made('a'), made('b'), made('c'));
  expect(polled(three)).toEqual(['c', 'b']);
  const scanned = nextScan(three, { type: 'answered', id: 'b', answer: 'scanned' });
  expect(scanned).toMatchObject({ phase: 'scanned', scannedId: 'b' });
  expect(polled(scanned)).toEqual(['b']);
  expect(nextScan(scanned, { type: 'answered', id: 'b', answer: 'done' }).phase).toBe('done');
});

test('the countdown stands still once scanned, and a code that comes late does not take its place', () => {
  const due = after(made('a'), ...seconds(20), { type: 'answered', id: 'a', answer: 'scanned' });
  const later = [...seconds(40), made('b')].reduce(nextScan, due);
  expect(later).toMatchObject({ phase: 'scanned', scannedId: 'a', secondsLeft: 0 });
  expect(nextScan(later, { type: 'unmade', why: '' }).phase).toBe('scanned');
});

test.each([
  ['cancelled', 'cancelled'],
  ['expired', 'expired'],
  ['done', 'done'],
  ['waiting', 'scanned'],
] as const)('scanned, then %s', (answer, phase) => {
  const scanned = after(made('a'), made('b'), { type: 'answered', id: 'a', answer: 'scanned' });
  expect(nextScan(scanned, { type: 'answered', id: 'a', answer })).toMatchObject({ phase });
});

test('the older code may run out unseen; the shown one is veiled; unknown ones say nothing', () => {
  const two = after(made('a'), made('b'));
  expect(nextScan(two, { type: 'answered', id: 'a', answer: 'expired' }).phase).toBe('waiting');
  expect(nextScan(two, { type: 'answered', id: 'b', answer: 'expired' }).phase).toBe('expired');
  expect(nextScan(two, { type: 'answered', id: 'x', answer: 'done' })).toBe(two);
});

test('after five minutes the code is covered and polling stops, until the user asks for another code', () => {
  const rounds = Array.from({ length: MAX_CODES }, (_, round) => [made(`s${round}`), ...seconds(20)]).flat();
  const idle = after(...rounds);
  expect(idle).toMatchObject({ phase: 'expired', isCodeWanted: false });
  expect(polled(idle)).toEqual([]);
  expect(nextScan(idle, { type: 'restart' })).toBe(FRESH_SCAN);
});

test('no code to be had is said', () => {
  expect(after({ type: 'unmade', why: '' })).toMatchObject({ phase: 'failed', isCodeWanted: false });
});

test('a scan of the code before still logs in where no other code is to be had', () => {
  const failed = after(made('a'), made('b'), ...seconds(20), { type: 'unmade', why: '扫码登录的人太多' });
  expect(failed).toMatchObject({ phase: 'failed', why: '扫码登录的人太多' });
  expect(polled(failed)).toEqual(['b', 'a']);
  const scanned = nextScan(failed, { type: 'answered', id: 'b', answer: 'scanned' });
  expect(scanned).toMatchObject({ phase: 'scanned', scannedId: 'b' });
  expect(nextScan(scanned, { type: 'answered', id: 'b', answer: 'done' }).phase).toBe('done');
  expect(nextScan(failed, { type: 'answered', id: 'a', answer: 'done' }).phase).toBe('done');
  const over = nextScan(failed, { type: 'answered', id: 'b', answer: 'expired' });
  expect(polled(over)).toEqual([]);
});
