import { expect, it } from 'vitest';
import { previewPromise } from './preview-pages.ts';

it.each([
  [0, '登录后可预览'],
  [1, '登录后可预览全部 1 页'],
  [10, '登录后可预览全部 10 页'],
  [11, '登录后可预览前 10 页'],
])('%i pages: %s', (pages, text) => expect(previewPromise(pages)).toBe(text));
