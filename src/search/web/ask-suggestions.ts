import { call } from '../../accounts/web/call.ts';
import { suggestWords } from '../contract.ts';

/** In a module of its own: the contract's schemas come only when somebody types. None when the site cannot be asked. */
export async function askSuggestions(prefix: string): Promise<{ text: string; count: number }[]> {
  try {
    return (await call(suggestWords, { prefix })).data?.items ?? [];
  } catch {
    return [];
  }
}
