import { expect, test } from 'vitest';
import { linesOf } from './watch-ingest.ts';

const NOTHING = { queued: 0, running: 0, published: 0, duplicate: 0, waiting: 0, refused: 0, failed: 0 };

test('a moment of ingest in three or four lines', () => {
  const lines = linesOf({
    counts: { ...NOTHING, queued: 70, running: 5, published: 20, refused: 3, failed: 2 },
    running: { render: 2, convert: 3 },
    perMinute: 30,
    problem: { path: 'a.pptx', message: 'the file needs a password' },
  });
  expect(lines[0]).toMatch(/^█{8}░{22} 25\/100 · 30 documents\/min · 3 min left$/);
  expect(lines[1]).toBe('now: convert 3, render 2 · 70 queued');
  expect(lines[2]).toBe('so far: 20 published, 3 refused, 2 failed');
  expect(lines[3]).toBe('last problem: a.pptx: the file needs a password');
});

test('a batch that still grows is measured by what it will be', () => {
  const counts = { ...NOTHING, published: 25 };
  const [bar] = linesOf({ counts, running: {}, perMinute: 30, problem: null }, 100);
  expect(bar).toMatch(/^█{8}░{22} 25\/100 · 30 documents\/min · 3 min left$/);
});

test('progress is complete, and says so, when nothing is under way', () => {
  const [bar, now, ends] = linesOf({ counts: NOTHING, running: {}, perMinute: 0, problem: null });
  expect(bar).toMatch(/^█{30} 0\/0/);
  expect([now, ends]).toEqual(['now: nothing · 0 queued', 'so far: nothing']);
});
