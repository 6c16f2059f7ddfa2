import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { findState, setState, showTarget, subscribe } from './favorite-states.ts';

const page = Object.assign(new EventTarget(), { hidden: false, cookie: '' });
/** The documents that the server says are kept. */
let kept: number[];

beforeEach(() => {
  page.cookie = 'token=first';
  kept = [];
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', { location: { origin: 'http://ceku.test' } });
  vi.stubGlobal('fetch', () =>
    Promise.resolve(Response.json({ code: 0, message: '', data: { fids: kept, chart_ids: [] } })),
  );
});
afterEach(() => vi.unstubAllGlobals());

/** The reader returns to the tab, which asks the server again. */
const comeBack = () => page.dispatchEvent(new Event('visibilitychange'));

it('a button that is added to a page does not bring back the state that the page came with', async () => {
  const target = { type: 3, id: 1 } as const;
  const other = { type: 3, id: 2 } as const;
  const leave = showTarget(target, false);
  const leaveOther = showTarget(other, true);
  setState(target, true);
  kept = [1];
  comeBack();
  // With the answer, which takes the place of what was pressed, the other one is no longer kept.
  await expect.poll(() => findState(other)).toBe(false);
  const leaveViewer = showTarget({ ...target }, false);
  expect(findState(target)).toBe(true);
  for (const each of [leave, leaveViewer, leaveOther]) each();

  // Another page, which is newer than what the tab knows.
  showTarget(target, false)();
  expect(findState(target)).toBe(false);
});

it('a page that is newer than the last press shows the state that it came with', () => {
  const target = { type: 3, id: 5 } as const;
  const leave = showTarget(target, false);
  setState(target, true);
  setState(target, false);
  leave();
  // Another device kept the document meanwhile.
  showTarget(target, true)();
  expect(findState(target)).toBe(true);
});

it('the buttons that appear together are asked about together, and their states are those of one session', async () => {
  const target = { type: 3, id: 9 } as const;
  kept = [9];
  const leave = showTarget(target, null);
  await expect.poll(() => findState(target)).toBe(true);
  page.cookie = 'token=second';
  expect(findState(target)).toBe(null);
  kept = [];
  comeBack();
  await expect.poll(() => findState(target)).toBe(false);
  leave();
});

it('keeps to the last question, though an earlier one is answered after it', async () => {
  const target = { type: 3, id: 12 } as const;
  const answers: ((fids: number[]) => void)[] = [];
  vi.stubGlobal('fetch', async () => {
    const fids = await new Promise<number[]>((resolve) => answers.push(resolve));
    return Response.json({ code: 0, message: '', data: { fids, chart_ids: [] } });
  });
  /** Answers a question, and waits until the buttons have been told. */
  const answer = (question: number, fids: number[]) =>
    new Promise<void>((resolve) => {
      const stop = subscribe(() => {
        stop();
        resolve();
      });
      answers[question]?.(fids);
    });
  const leave = showTarget(target, false);
  comeBack();
  await expect.poll(() => answers.length).toBe(1);
  comeBack();
  await expect.poll(() => answers.length).toBe(2);
  await answer(1, [12]);
  expect(findState(target)).toBe(true);
  await answer(0, []);
  expect(findState(target)).toBe(true);
  leave();
});
