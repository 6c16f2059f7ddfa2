import { expect, it } from 'vitest';
import { aboutText } from './about-text.ts';

it.each([
  [304, '300'],
  [1_249, '1,200'],
  [9_960, '1 万'],
  [12_345, '1.2 万'],
  [1_049_000, '100 万'],
])('%i is about %s', (count, text) => expect(aboutText(count)).toBe(text));
