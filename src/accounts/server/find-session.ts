import type { Ctx } from '../../context.ts';
import type { SessionLookup } from '../../platform/http/api.ts';

export function findSession(_ctx: Ctx, _token: string): Promise<SessionLookup> {
  return Promise.resolve('none');
}
