import { expect, it } from 'vitest';
import { readAskedFilters } from './asked-filters.ts';

it.each([
  ['免费的房地产方案', { key: '房地产方案', isFree: true }],
  ['免费年会策划方案', { key: '年会策划方案', isFree: true }],
  ['年会 免费', { key: '年会', isFree: true }],
  ['年会策划方案免费下载', { key: '年会策划方案', isFree: true }],
  ['免费', { key: '', isFree: true }],
  ['开业 pdf', { key: '开业', filetype: 2 }],
  ['PDF', { key: '', filetype: 2 }],
  ['PPT', { key: '', filetype: 1 }],
  ['ppt模板', { key: '', filetype: 1 }],
  ['房地产PDF格式', { key: '房地产', filetype: 2 }],
  ['免费的pdf 美妆', { key: '美妆', isFree: true, filetype: 2 }],
  ['最新年会方案', { key: '年会方案', sort: 'newest' }],
  ['美妆 最新', { key: '美妆', sort: 'newest' }],
])('%s asks for %j', (typed, asked) =>
  expect(readAskedFilters(typed)).toEqual({ isFree: false, filetype: 0, sort: 'relevance', ...asked }),
);

it.each([
  '年会',
  '免费体验课招生',
  '免费试驾活动',
  '社区免费义诊',
  '入园免费的音乐节',
  'pdfa',
  '最新款手机发布会',
  '年会ppt',
  '',
])('%s asks for no filter', (typed) => expect(readAskedFilters(typed)).toBeNull());
