import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Clauses, phrasesOf, TitlePhrases } from './line-breaks.tsx';

it.each([
  ['万物社区春日游园市集与邻里共建方案', ['万物社区春日游园市集', '与邻里', '共建方案']],
  ['观澜书院房地产业主答谢晚宴执行手册', ['观澜书院房地产业主答谢晚宴', '执行手册']],
  ['青绿长卷数字艺术展策划与运营方案', ['青绿长卷数字艺术展策划', '与运营方案']],
  ['潮生海岛婚礼全案策划：一场日落仪式', ['潮生海岛婚礼全案策划：', '一场日落仪式']],
  ['玄穹智能电动轿车新品发布会全案策划', ['玄穹智能电动轿车新品发布会', '全案策划']],
  ['皓白口腔爱牙月活动策划案', ['皓白口腔爱牙月活动', '策划案']],
  ['社区居民参与指南', ['社区居民参与指南']],
  ['栖山壹号', ['栖山壹号']],
])('%s breaks between its phrases', (title, phrases) => expect(phrasesOf(title)).toEqual(phrases));

it('keeps phrases together, and lets a title of one phrase break anywhere', () => {
  expect(renderToStaticMarkup(<TitlePhrases text="饮月斋中秋茶礼与跨界传播" />)).toMatch(/^<span class="[^"]*phrases/);
  expect(renderToStaticMarkup(<TitlePhrases text="疾川物流供应链生态大会" />)).toMatch(/^<span>/);
});

it('never leaves the last character of a title alone on a line', () => {
  expect(renderToStaticMarkup(<TitlePhrases text="疾川物流供应链生态大会" />)).toMatch(
    /供应链生态<span class="[^"]*end[^"]*">大会<\/span>/,
  );
  for (const text of ['策划', '开业NFC', '2026'])
    expect(renderToStaticMarkup(<TitlePhrases text={text} />)).toBe(`<span>${text}</span>`);
});

it('keeps a date whole, also in a clause that is too long for its line', () => {
  const whole = (text: string) => `<span style="display:inline-block">${text}</span>`;
  expect(renderToStaticMarkup(<Clauses text="重复支付，2026-11-29 原路退回" />)).toBe(
    whole('重复支付，') + whole(`${whole('2026-11-29')} ${whole('原路退回')}`),
  );
});
