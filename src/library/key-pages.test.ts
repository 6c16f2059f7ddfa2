import { expect, it } from 'vitest';
import { PAGE_KINDS, pageKindOf, pageKindWords, readKeyPages } from './key-pages.ts';

const read = (...pages: string[]) => readKeyPages(['封面', ...pages]).map(({ kind, page }) => [kind, page]);

it.each<[string, string]>([
  ['展厅动线\nFLOOR PLAN\n见山艺术 · 06', 'floor_plan'],
  ['06 空间与动线 SPACE & TOUCHPOINTS', 'floor_plan'],
  ['FLOOR PLAN //\n样板层\n4', 'floor_plan'],
  ['场地平面布置图\n主舞台 签到处', 'floor_plan'],
  ['SWOT\n优势 劣势', 'swot'],
  ['品牌 SWOT 分析', 'swot'],
  ['05\nFUNNEL\n从看见到下单', 'funnel'],
  ['ＭＯＯＤ　ＢＯＡＲＤ\n暮色与海', 'mood_board'],
  ['宾客旅程\nJOURNEY', 'journey'],
  ['婚礼当天流程\nRUN-OF-SHOW', 'run_of_show'],
  ['BEFORE / AFTER', 'before_after'],
  ['单店盈利模型', 'unit_economics'],
  ['晚宴座位图', 'seating'],
  ['UE模型测算', 'unit_economics'],
  ['MOOD BOARDS', 'mood_board'],
  ['07 执行分工表', 'crew'],
  ['媒体投放排期\nMEDIA PLAN', 'media_schedule'],
  ['现场安全预案', 'contingency'],
  ['报价单', 'quotation'],
])('a page that begins with %j is of the kind %s', (text, kind) => expect(read(text)).toEqual([[kind, 2]]));

it.each([
  ['a long line', '灯区一路排开，来访动线的终点是江心升起的那轮月亮，家人在月下合影留念'],
  ['a line further down', '活动亮点\nHIGHLIGHTS\n云澜江岸\n5\n动线图见附件'],
  ['a part of another English word', 'ROSE GARDEN\nLAYOUTS'],
  ['a table of contents', '目录 CONTENTS\n01 展厅动线\n02 流程'],
  ['how to pay', '合作与报名流程'],
  ['the way of a technology', '技术路线图'],
  ['a table of contents in English', 'AGENDA\n01 Brand'],
])('%s is no heading', (_why, text) => expect(read(text)).toEqual([]));

it('takes the first page of a kind, and none that only bears the name of the plan', () => {
  expect(read('策略', '舞台动线', '观众动线')).toEqual([['floor_plan', 3]]);
  expect(read('议程三原则', '主会日\nRUN OF SHOW // 04')).toEqual([['run_of_show', 3]]);
  const named = ['概述', '策略', '预算', '团队'].map((title) => `用户旅程研究所\n${title}`);
  expect(read(...named)).toEqual([]);
  expect(readKeyPages(['SWOT分析报告', '背景'])).toEqual([]);
  expect(readKeyPages([])).toEqual([]);
});

it('is of two kinds where its heading names both', () => {
  expect(read('团队分工与风险预案\nTEAM & RISK')).toEqual([
    ['crew', 2],
    ['contingency', 2],
  ]);
});

it('is told from one word alone: no word means two kinds, and each is written as searches are', () => {
  const words = pageKindWords();
  expect(new Set(words.map(([word]) => word)).size).toBe(words.length);
  expect(new Set(words.map(([word]) => pageKindOf(word)))).toEqual(new Set(PAGE_KINDS));
  for (const [word, usual] of words) {
    expect(pageKindOf(word)).toBe(pageKindOf(usual));
    expect(word).toBe(word.normalize('NFKC').toLowerCase());
  }
});
