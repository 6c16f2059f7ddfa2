import type { Page } from 'playwright-core';

type Point = { x: number; y: number };
/** The way of one finger, from its first touch on. */
type Way = readonly Point[];

const STEPS = 8;
const STEP_MS = 16;

/**
 * Fingers on the screen, as the browser gets them from a touch panel. Each moves in a straight line, all at once, and leaves the
 * screen at the end. The page must have been opened with `hasTouch`.
 */
export async function touch(page: Page, ...fingers: { from: Point; to: Point }[]): Promise<void> {
  await follow(
    page,
    fingers.map(({ from, to }) =>
      Array.from({ length: STEPS + 1 }, (_, step) => ({
        x: from.x + ((to.x - from.x) * step) / STEPS,
        y: from.y + ((to.y - from.y) * step) / STEPS,
      })),
    ),
  );
}

/** Two fingers that move apart (or together) about a point: from `before` pixels of distance to `after`. */
export async function pinch(page: Page, about: Point, before: number, after: number): Promise<void> {
  const finger = (side: 1 | -1) => ({
    from: { x: about.x + (side * before) / 2, y: about.y },
    to: { x: about.x + (side * after) / 2, y: about.y },
  });
  await touch(page, finger(-1), finger(1));
}

/** Two taps, 80 ms apart. They are sent at once: the page's own timer must not run out between them. */
export async function doubleTap(page: Page, at: Point): Promise<void> {
  const panel = await openPanel(page);
  await Promise.all([
    panel.send('touchStart', [{ ...at, id: 0 }], 0),
    panel.send('touchEnd', [], 20),
    panel.send('touchStart', [{ ...at, id: 0 }], 80),
    panel.send('touchEnd', [], 100),
  ]);
  await panel.close();
}

async function follow(page: Page, ways: Way[]): Promise<void> {
  const panel = await openPanel(page);
  const at = (step: number) => ways.flatMap((way, id) => (way[step] ? [{ ...way[step], id }] : []));
  await panel.send('touchStart', at(0), 0);
  for (let step = 1; step <= STEPS; step++) await panel.send('touchMove', at(step), step * STEP_MS);
  await panel.send('touchEnd', [], (STEPS + 1) * STEP_MS);
  await panel.close();
}

/**
 * Sends touches with times of their own, `atMs` after the first: a page measures the speed of a finger and the time
 * between two taps by them, and a busy machine takes longer over each.
 */
async function openPanel(page: Page) {
  const session = await page.context().newCDPSession(page);
  const started = Date.now();
  return {
    send: (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: (Point & { id: number })[], atMs: number) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints, timestamp: (started + atMs) / 1_000 }),
    close: () => session.detach(),
  };
}
