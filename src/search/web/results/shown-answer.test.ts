import { expect, it } from 'vitest';
import { documentDetail } from '../../../../tests/document-detail.ts';
import { searchAnswer } from '../../../../tests/search-answer.ts';
import { toShownAnswer } from './shown-answer.ts';

it('counts the versions that a card folds among the shown plans', () => {
  const version = { fid: 1, time_text: '2026-11-01', page_count: 8, file_type_text: 'PPT' as const };
  const item = {
    ...documentDetail,
    file_type: 2 as const,
    file_type_text: 'PPT' as const,
    page_hits: [],
    match: 'full' as const,
    missing: [],
    reason: '',
    asked_pages: [],
    chart_list: [],
  };
  const item_list = [
    { ...item, versions: [version, version, version] },
    { ...item, versions: [] },
  ];
  expect(toShownAnswer(searchAnswer({ item_list })).shown_count).toBe(5);
});
