import type { Ctx } from '../../context.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import { complete } from '../complete.ts';
import type { suggestWords as contract } from '../contract.ts';
import { cleanQuery } from '../rules.ts';
import { vocabularyOf } from './vocabulary.ts';

const SHOWN = 8;

/** Completes the last word of what was typed; the words before it stay. From memory alone: well under a millisecond. */
export function suggestWords(ctx: Ctx, input: Parsed<typeof contract>): Promise<Output<typeof contract>> {
  const typed = cleanQuery(input.prefix);
  const cut = typed.lastIndexOf(' ') + 1;
  const before = typed.slice(0, cut);
  const words = complete(typed.slice(cut), vocabularyOf(ctx), SHOWN);
  return Promise.resolve({ items: words.map(({ shown, count }) => ({ text: before + shown, count })) });
}
