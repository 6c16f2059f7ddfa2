import { expect, it } from 'vitest';
import { numberText } from './number-text.ts';

it.each([
  [12_345.67, '万元', '12,345.67'],
  [57, '%', '57%'],
  [33.3333333333333, '%', '33.33%'],
  [0.1 + 0.2, '', '0.3'],
  [-1_200, '', '-1,200'],
  [0, '', '0'],
  [2e-9, '', '2e-9'],
  [1e18, '', '1e+18'],
  [1 / 3, '', '0.333333'],
])('%d in %s is %s', (value, unit, text) => expect(numberText(value, unit)).toBe(text));
