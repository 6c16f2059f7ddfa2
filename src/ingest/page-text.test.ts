import { describe, expect, it, test } from 'vitest';
import {
  beginningOf,
  cleanPage,
  cleanText,
  excerptOf,
  isTitleLine,
  outlineFromBookmarks,
  outlineFromText,
} from './page-text.ts';

test.for<[from: string, to: string]>([
  ['年会\r\n方案', '年会\n方案'],
  ['  a \t b\u3000c ', 'a b c'],
  ['a\n\n \nb', 'a\nb'],
  ['a\0\u202eb\u200b\ufeffc\ue000', 'abc'],
  ['a\ud800b', 'ab'],
  ['第一行\u2028第二行\v第三行', '第一行\n第二行\n第三行'],
  ['👨‍👩‍👧', '👨👩👧'],
  ['年 度 策 划 方 案\t2026', '年度策划方案 2026'],
])('cleanText %j', ([from, to]) => expect(cleanText(from)).toBe(to));

test('a beginning never ends in half a character', () => {
  expect(beginningOf('ab🎉', 3)).toBe('ab');
  expect(beginningOf('ab🎉', 4)).toBe('ab🎉');
  expect(beginningOf('ab', 9)).toBe('ab');
  expect(cleanText(`${'a'.repeat(19_999)}🎉`)).toBe('a'.repeat(19_999));
});

const whole = { areLinesWhole: true };

test('an excerpt is one line of at most 300 characters, without half a sentence, of the first ten pages', () => {
  const sentence = (page: number) => `第${'一二三四五六七八九十甲乙'[page]}章说明我们怎样办好这一场活动。`;
  const pages = Array.from({ length: 12 }, (_, page) => sentence(page));
  expect(excerptOf(pages, whole)).toBe(pages.slice(0, 10).join(''));
  const long = excerptOf(
    [Array.from({ length: 99 }, (_, at) => `${sentence(at % 12)}${'乐'.repeat(at)}！`).join('')],
    whole,
  );
  expect(long.length).toBeLessThanOrEqual(300);
  expect(long).toMatch(/[。！]$/);
  expect(excerptOf(['字'.repeat(500)], whole)).toBe('');
});

test.for<[is: string, pages: string[], lines: 'whole' | 'displayed', excerpt: string]>([
  ['a sentence', ['家长听够了提分口号，开始问怎么教'], 'whole', '家长听够了提分口号，开始问怎么教。'],
  ['a statement without a comma', ['育儿师的现场答疑最留人心'], 'whole', '育儿师的现场答疑最留人心。'],
  ['no label, figure or English', ['DATA\n优势\nStrategy and tactics\n46%\n2.7 次\n#FF6F91\n平均停留'], 'whole', ''],
  [
    'nothing of a slide but its sentences',
    ['03\n门店选址 LOCATION\n92\n先看停车位，再看客流\n12'],
    'whole',
    '先看停车位，再看客流。',
  ],
  ['no title of the cover', ['2026 江心升月中秋城市艺术节策划方案\n策库', '市集'], 'whole', ''],
  [
    'but a claim on the cover',
    ['江心升月\n把月亮还给城市，把夜晚还给人', '市集'],
    'whole',
    '把月亮还给城市，把夜晚还给人。',
  ],
  [
    'no bullet or number before a statement',
    ['• 先认识邻居，再谈开业\n2. 首周客人都能被记住，再来有礼'],
    'whole',
    '先认识邻居，再谈开业。首周客人都能被记住，再来有礼。',
  ],
  [
    'no source and no remark on a sum',
    ['数据来源：项目组访谈与抽样问卷，示例数据\n合计 含税，不可预见费另列 8,000'],
    'whole',
    '',
  ],
  ['no row of a table', ['生活作者 两日一夜 长图文和短视频，粉丝六百万'], 'whole', ''],
  ['a repeated statement once', ['少卖多玩，邻里优先', '少卖多玩，邻里优先'], 'whole', '少卖多玩，邻里优先。'],
  [
    'no running header or footer',
    ['一', '二', '三', '四'].map((page, at) => `某某品牌整合营销传播策划案 ${at}\n${page}号门是主入口，先到先进`),
    'whole',
    '一号门是主入口，先到先进。二号门是主入口，先到先进。三号门是主入口，先到先进。',
  ],
  ['no page of thanks', ['主题', '策略', '预算', '愿与您一起，点亮这座城市'], 'whole', ''],
  [
    'two items of a list',
    ['全天只回答一个行业问题\n两天日程压到一天，更好'],
    'whole',
    '全天只回答一个行业问题。两天日程压到一天，更好。',
  ],
  [
    'a sentence over lines of a PDF',
    ['我们希望用一场真正属于\n年轻人的夜晚，让品牌\n回到街头。'],
    'displayed',
    '我们希望用一场真正属于年轻人的夜晚，让品牌回到街头。',
  ],
  ['no part of a sentence', ['先做一件对得起主张的大事情\n再做广告\n01'], 'displayed', ''],
  ['no broken word', ['全年只说一句话，换\n一百种说法'], 'whole', ''],
  [
    'a label above a sentence is left out',
    ['智能互动大屏体验区\n观众挥手即可生成专属海报，现场打印带走。'],
    'displayed',
    '观众挥手即可生成专属海报，现场打印带走。',
  ],
])('an excerpt has %s', ([, pages, lines, excerpt]) =>
  expect(excerptOf(pages, { areLinesWhole: lines === 'whole' })).toBe(excerpt),
);

test.for<[line: string, is: boolean]>([
  ['2026 年会策划方案', true],
  ['Agenda', true],
  ['03', false],
  ['12 / 30', false],
  ['2026年3月', false],
  ['第 3 页', false],
  ['Slide 3', false],
  ['幻灯片 3', false],
  ['38分钟', false],
  ['2.7 次', false],
  ['3 万人次', false],
  ['618大促', true],
  ['2026 复盘', true],
  ['12周年庆', true],
  ['3天游玩路线', true],
  ['www.example.com', false],
  ['通过场景化内容，', false],
  ['iterations of the loop.', false],
  ['长'.repeat(60), false],
  ['A', false],
])('isTitleLine %j %s', ([line, is]) => expect(isTitleLine(line)).toBe(is));

describe('the bookmarks of a PDF', () => {
  const bookmarks = (...titles: string[]) => titles.map((title, index) => ({ page: index + 1, title }));

  test('are its outline where they name something', () => {
    expect(outlineFromBookmarks(bookmarks('封面', 'Slide 2', '预算'))).toEqual([
      { page: 1, title: '封面' },
      { page: 3, title: '预算' },
    ]);
  });

  test.for([['Slide 1', 'Slide 2'], ['幻灯片 1', '幻灯片 2'], ['第 1 页', '第 2 页'], ['目录'], []])(
    'are none where they only count: %j',
    (titles) => expect(outlineFromBookmarks(bookmarks(...titles))).toBeNull(),
  );
});

describe('the outline of a PDF without bookmarks', () => {
  test('is the first line of each page that may be a title', () => {
    expect(outlineFromText(['01\n市场洞察\n……', '', '执行排期\n表'])).toEqual([
      { page: 1, title: '市场洞察' },
      { page: 3, title: '执行排期' },
    ]);
  });

  test('leaves out words set wide beside a title', () => {
    const pages = [
      '目录 C O N T E N T S',
      '维生素 A B C',
      'P R O J E C T\n项目背景',
      '创 意 概 念\n「灶火正旺」',
      '对比 B E F O R E / A F T E R',
      'P O P - U P R O A D S H O W\n旧情换新',
      '年 度 策 划 方 案\n2026',
      'T H A N K S',
    ].map((page) => cleanPage(page));
    const titles = outlineFromText(
      pages.map(({ text }) => text),
      pages.map(({ wide }, index) => ({ page: index + 1, wide })),
    ).map(({ page, title }) => `${page} ${title}`);
    expect(titles).toEqual([
      '1 目录',
      '2 维生素 A B C',
      '3 项目背景',
      '4 「灶火正旺」',
      '5 对比',
      '6 旧情换新',
      '7 年度策划方案',
    ]);
  });

  test.for<[page: string, title: string]>([
    ['RESEARCH REPORT\n落地之年', '落地之年'],
    ['联名发布 LOUIS VUITTON', '联名发布 LOUIS VUITTON'],
    ['TIMELINE\n研究过程', '研究过程'],
    ['SWOT\n优势与劣势', 'SWOT'],
    ['NIKE\n年度方案', 'NIKE'],
    ['联名 NIKE', '联名 NIKE'],
    ['预算 A VS B', '预算 A VS B'],
    ['MARKET INSIGHT\n2026', 'MARKET INSIGHT'],
  ])('takes no line of English in capitals for the title of a Chinese page: %j', ([page, title]) =>
    expect(outlineFromText([page])).toEqual([{ page: 1, title }]),
  );

  test('finds no title on a page of prose', () => {
    expect(outlineFromText([`某某论文\n${'字'.repeat(1_300)}`])).toEqual([]);
  });

  test('passes over a running header', () => {
    const pages = ['目标', '策略', '创意', '预算'].map((title) => `某某品牌策划案\n${title}一览`);
    expect(outlineFromText(pages).map(({ title }) => title)).toEqual(['目标一览', '策略一览', '创意一览', '预算一览']);
  });
});

describe('what is no title and no excerpt', () => {
  it.each([
    '点击添加相关标题文字',
    '请替换文字内容',
    '文本框可根据需求改变颜色移动位置',
    '第 3 页 共 20 页',
    '3 / 20',
    'Page 3 of 20',
    '© 2021 某某咨询',
    '，而不是一次性的投入',
    '第一章 总论 ………… 12',
    'which is why the model',
  ])('%s', (line) => expect(isTitleLine(line)).toBe(false));

  it.each(['春日生活市集', 'Rust 在嵌入式系统中的应用', '第三章 传播策略', 'iPhone 新品发布'])('but %s', (line) =>
    expect(isTitleLine(line)).toBe(true),
  );

  it.each(['.', '. ', '·', '1', '1. ', '• ', 'a'])('an excerpt of a page of %j alone is made in one pass', (text) => {
    expect(excerptOf([`${text.repeat(1_000_000 / text.length)}汉`], { areLinesWhole: true })).toBe('');
  });

  it('an excerpt has no contacts, no text of templates and no table of contents', () => {
    const pages = [
      '滨江音乐节\n单击此处添加文本，替换为您的内容\n有事请找项目联系人王芳：13812345678 wang@example.com',
      '目录\n一、项目的背景，市场与机会\n二、项目的预算，节奏与风险',
      '项目背景，市场与机会 ………… 3\n城市夏夜消费升级，年轻人回到江边',
    ];
    expect(excerptOf(pages, whole)).toBe('城市夏夜消费升级，年轻人回到江边。');
  });
});
