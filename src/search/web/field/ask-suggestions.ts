import { call } from '../../../accounts/web/call.ts';
import { suggestWords } from '../../contract.ts';

/** Lazily loaded, so that the contract's schemas are fetched only when somebody types. Returns [] when the site does not answer. */
export async function askSuggestions(prefix: string): Promise<{ text: string; count: number }[]> {
  try {
    return (await call(suggestWords, { prefix })).data?.items ?? [];
  } catch {
    return [];
  }
}
