import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { INDUSTRIES, THEMES } from '../../library/taxonomy.ts';
import { withoutRunningLines } from './weigh-words.ts';
import { parseLexicon } from './lexicon.ts';
import { tagWords } from '../server/about/word-tools.ts';
import { proposeIndustry, proposeThemes, scoreLabels } from './propose-labels.ts';

const lexicon = parseLexicon(readFileSync(new URL('./lexicon.txt', import.meta.url), 'utf8'));
const said = (pages: string[], name = '') => ({ name, headings: [], pages });

describe('the lexicon', () => {
  it.each([
    ['theme', THEMES],
    ['industry', INDUSTRIES],
  ] as const)('has a line for every %s, once', (kind, names) => {
    const lines = lexicon.filter((line) => line.kind === kind).map((line) => line.name);
    expect([...lines].sort()).toEqual([...names].sort());
  });

  it('has enough words on each line', () => {
    for (const { name, words } of lexicon) expect(words.size, name).toBeGreaterThanOrEqual(10);
  });

  it.each(['theme', 'themes 甲: 乙', 'theme 甲 乙', 'theme 甲: 乙*9', 'theme 甲: 乙*x', 'industry 甲: *2'])(
    'refuses %j',
    (line) => {
      expect(() => parseLexicon(line)).toThrow(SyntaxError);
    },
  );
});

describe('proposals', () => {
  const themesOf = (pages: string[], name = '') =>
    proposeThemes(scoreLabels(said(pages, name), lexicon, 'theme', tagWords)).map((one) => one.name);
  const industryOf = (pages: string[], name = '') =>
    proposeIndustry(scoreLabels(said(pages, name), lexicon, 'industry', tagWords))?.name ?? null;

  it.each([
    ['城市马拉松赛事执行方案', ['参赛选手与赛道', '完赛奖牌', '志愿者与补给'], '赛事运动', '体育赛事'],
    ['新能源汽车试驾会', ['车型亮点与续航', '试驾路线', '车主故事'], null, '汽车'],
    ['新能源汽车品牌全国巡回路演', [], '快闪路演', '汽车'],
    ['小红书种草投放', ['KOC笔记与达人探店', '护肤精华与面膜测评'], '小红书种草', '美妆'],
    ['年会盛典暨颁奖典礼', ['红毯与晚宴', '保险代理人表彰', '保单与理赔服务'], '年会盛典', '保险'],
  ])('of %s', (name, pages, theme, industry) => {
    if (theme) expect(themesOf(pages, name)).toContain(theme);
    expect(industryOf(pages, name)).toBe(industry);
  });

  it('are empty for a text without known words', () => {
    for (const pages of [[], ['']]) expect([themesOf(pages), industryOf(pages)]).toEqual([[], null]);
    expect(themesOf(['How We Refactor, and How We Know It', 'software engineering'])).toEqual([]);
  });

  it('believe what a cover says before a name was given, and no first page that is full of words', () => {
    const [heard, cover] = [
      ['某某集团', '议程一'],
      ['某某集团\n第三届行业峰会', '议程一'],
    ];
    expect(themesOf(heard)).toEqual([]);
    expect(themesOf(cover)).toEqual(['峰会论坛']);
    expect(themesOf([`${cover[0]}${'字'.repeat(400)}`, '议程一'])).toEqual([]);
  });

  it.each([
    ['天猫店铺大促', '天猫店铺流量', '宠物'],
    ['酒店客房升级', '酒店大堂', '酒水'],
    ['小红书投放', '小红书笔记', '图书出版'],
  ])('do not hear one word in another: %s', (name, page, industry) => {
    const scores = scoreLabels(said([page], name), lexicon, 'industry', tagWords);
    expect(scores.map((one) => one.name)).not.toContain(industry);
  });

  it('do not take 六一八 for the first of June', () => {
    expect(themesOf(['六一八开门红', '六一八返场', '六一八收官'], '六一八直播排期')).not.toContain('亲子活动');
  });

  it('find Latin words whole', () => {
    const words = (text: string) =>
      scoreLabels(said([text]), lexicon, 'theme', tagWords).flatMap((one) => one.words.map(({ word }) => word));
    expect(words('我们的KOL矩阵')).toContain('kol');
    expect(words('KOLLEGE')).not.toContain('kol');
  });

  it('say which words gave which weight, heaviest first', () => {
    const [best] = scoreLabels(said(['奶茶联名', '奶茶杯套', '拿铁'], '奶茶店开业'), lexicon, 'industry', tagWords);
    expect(best?.name).toBe('茶饮咖啡');
    expect(best?.words[0]?.word).toBe('奶茶');
    const weights = best?.words.map(({ weight }) => weight) ?? [];
    expect(weights).toEqual([...weights].sort((a, b) => b - a));
    expect(best?.score).toBeCloseTo(
      weights.reduce((sum, weight) => sum + weight, 0),
      1,
    );
  });

  it('an industry that does not lead is not proposed', () => {
    const scores = [
      { name: '甲', score: 10, words: [], isSure: true },
      { name: '乙', score: 9.5, words: [], isSure: true },
    ];
    expect(proposeIndustry(scores)).toBeNull();
  });
});

it('running headers and footers are removed', () => {
  const pages = ['标语\n一', '标语\n二', '标语\n三', '标语\n四'];
  expect(withoutRunningLines(pages)).toEqual(['一', '二', '三', '四']);
  expect(withoutRunningLines(pages.slice(0, 2))).toEqual(pages.slice(0, 2));
});
