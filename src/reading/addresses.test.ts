import { expect, it } from 'vitest';
import { comparePath } from './addresses.ts';

it('names one document of a comparison, or both', () => {
  expect([comparePath(9), comparePath(9, 12)]).toEqual(['/compare/9', '/compare/9/12']);
});
