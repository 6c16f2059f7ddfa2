import type { Context } from 'hono';
import type { HttpBindings } from '@hono/node-server';
import type { Fault, Target } from './faults.ts';
import type { World } from './world.ts';

export type Env = { Bindings: HttpBindings };

/** How long a hanging call is held open before its connection is closed. */
export const HANG_MS = 60_000;

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref());

/**
 * Counts a call and plays its next fault if that fault fits every call: then returns the answer. Otherwise returns the
 * fault that only the call itself can play, or null for none.
 */
export async function arrive(
  world: World,
  target: Target,
  c: Context<Env>,
): Promise<{ answer: Response } | { answer: null; fault: Fault | null }> {
  world.calls.set(target, (world.calls.get(target) ?? 0) + 1);
  const scripted = world.faults.take(target);
  switch (scripted?.fault) {
    case 'delay':
      await pause(scripted.ms);
      return { answer: null, fault: null };
    case 'hang':
      await pause(HANG_MS);
      return { answer: cut(c) };
    case 'reset':
      return { answer: cut(c) };
    case '500':
      return { answer: c.text('Internal Server Error', 500) };
    case 'html':
      return { answer: c.html('<html><body><h1>502 Bad Gateway</h1></body></html>', 200) };
    default:
      return { answer: null, fault: scripted?.fault ?? null };
  }
}

/** Closes the connection without an answer. */
export function cut(c: Context<Env>): Response {
  c.env.incoming.socket.destroy();
  return c.text('', 500);
}

/** Answers as WeChat does: errors are JSON with HTTP 200. */
export const wechatError = (c: Context<Env>, errcode: number, errmsg: string) =>
  c.json({ errcode, errmsg: `${errmsg} rid: 00000000-00000000-00000000` }, 200);
