import { expect, test } from 'vitest';
import { parseHighlight, plainName } from './highlight.tsx';

test('hits are told from the text around them, and the escaping is undone', () => {
  expect(parseHighlight('年会 &amp; <em>快闪</em>路演')).toEqual([
    { text: '年会 & ', isHit: false },
    { text: '快闪', isHit: true },
    { text: '路演', isHit: false },
  ]);
});

test('any other markup stays text', () => {
  expect(plainName('&lt;img src=x onerror=alert(1)&gt;<b>x</b>')).toBe('<img src=x onerror=alert(1)><b>x</b>');
});

test('an entity is undone once', () => {
  expect(plainName('&amp;lt;em&amp;gt;')).toBe('&lt;em&gt;');
});
