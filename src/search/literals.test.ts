import { expect, it } from 'vitest';
import { queryLiteral, tokensLiteral } from './literals.ts';

it('quotes any characters of a lexeme', () => {
  const form = (text: string, isPrefix: boolean) => ({ text, lexemes: [{ text, isPrefix }] });
  const word = { forms: [form("a'b\\c", true)] };
  const either = { forms: [form('a', false), form('b', true)] };
  expect(queryLiteral([word, either])).toBe(`'a''b\\\\c':* & ('a' | 'b':*)`);
  expect(queryLiteral([word], [':fppt'], 'A')).toBe(`'a''b\\\\c':*A & ':fppt'`);
});

it('weighs name, keywords and labels, and marks type and Shanghai year', () => {
  const literal = tokensLiteral({
    name: '中秋',
    keyword: '中秋',
    facts: [],
    labels: ['策划社', '餐饮'],
    fileType: 'pptx',
    createdAt: new Date('2023-12-31T16:00:00Z'),
  });
  expect(literal).toBe(`'中秋':1A,2B '秋':1A,2B '策划':3C '划社':3C '社':3C '餐饮':3C '饮':3C ':fppt' ':y2024'`);
});
