import {
  NoResponseError,
  type Outbound,
  type OutboundAnswer,
  type OutboundRequest,
} from '../../../platform/http/outbound.ts';
import { ProviderUnavailable } from '../../ports.ts';

/**
 * Sends a request to a provider. No answer and a 5xx are ProviderUnavailable: the provider may have done what was asked
 * all the same.
 */
export async function askProvider(
  provider: string,
  outbound: Outbound,
  request: OutboundRequest,
): Promise<OutboundAnswer> {
  const answer = await outbound(request).catch((error: unknown) => {
    if (!(error instanceof NoResponseError)) throw error;
    throw new ProviderUnavailable(provider, error.message, error.isOutcomeUnknown);
  });
  if (answer.status >= 500) throw new ProviderUnavailable(provider, `HTTP ${answer.status}`, true);
  return answer;
}

/** Returns the answer's JSON object; anything else (a proxy's error page) is ProviderUnavailable. */
export function jsonOf(provider: string, answer: OutboundAnswer): Record<string, unknown> {
  const value = parse(answer.body.toString('utf8'));
  if (value) return value;
  throw new ProviderUnavailable(provider, `HTTP ${answer.status} without JSON`, true);
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
