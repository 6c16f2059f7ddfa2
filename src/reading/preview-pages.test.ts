import { expect, it } from 'vitest';
import { previewPromise } from './preview-pages.ts';

it.each([
  [0, '登录后可预览'],
  [1, '登录后可预览全部 1 页'],
  [9, '登录后可预览全部 9 页'],
  [10, '登录后可预览前10页'],
  [11, '登录后可预览前10页'],
])('%i pages: %s', (pages, text) => expect(previewPromise(pages)).toBe(text));
