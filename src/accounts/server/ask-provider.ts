import type { Ctx } from '../../context.ts';
import { unavailable } from '../../protocol/envelope.ts';
import { ProviderRefused, ProviderUnavailable } from '../ports.ts';

/** Asks another company. Its no and its silence are ours to log, and answered as unavailable (503). */
export async function askProvider<T>(ctx: Ctx, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ProviderRefused) && !(error instanceof ProviderUnavailable)) throw error;
    ctx.log.error({ error }, 'WeChat did not do what was asked');
    throw unavailable();
  }
}
