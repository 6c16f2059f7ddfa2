import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFloodRefusal } from './refuse-flood.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const refusal = createFloodRefusal();

/** A request that is refused, and its answer. */
function refuse(refuseFlood = refusal) {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  refuseFlood(request, response, { isApi: true, waitSeconds: 7 });
  return response;
}

it('holds an answer for a second, and sends the envelope with the seconds to wait', () => {
  const response = refuse();
  vi.advanceTimersByTime(999);
  expect(response.headersSent).toBe(false);
  vi.advanceTimersByTime(1);
  expect([response.writableEnded, response.statusCode]).toEqual([true, 429]);
});

it('sends nothing to a client that has gone', () => {
  const response = refuse();
  response.destroy();
  vi.advanceTimersByTime(1_000);
  expect(response.headersSent).toBe(false);
});

it('holds two thousand answers at most, further ones are sent at once, and holds again when these are sent', () => {
  const refuseFlood = createFloodRefusal();
  const held = Array.from({ length: 2_000 }, () => refuse(refuseFlood));
  expect(held.filter(({ headersSent }) => headersSent)).toHaveLength(0);
  expect(refuse(refuseFlood).writableEnded).toBe(true);
  vi.advanceTimersByTime(1_000);
  expect(held.filter(({ writableEnded }) => writableEnded)).toHaveLength(2_000);
  expect(refuse(refuseFlood).headersSent).toBe(false);
});
