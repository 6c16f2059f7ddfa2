import { expect, it } from 'vitest';
import { phrasesOf } from './title-phrases.tsx';

it.each([
  ['万物社区春日游园市集与邻里共建方案', ['万物社区春日游园市集', '与邻里', '共建方案']],
  ['观澜书院房地产业主答谢晚宴执行手册', ['观澜书院房地产业主答谢晚宴', '执行手册']],
  ['青绿长卷数字艺术展策划与运营方案', ['青绿长卷数字艺术展策划', '与运营方案']],
  ['潮生海岛婚礼全案策划：一场日落仪式', ['潮生海岛婚礼全案策划：', '一场日落仪式']],
  ['社区居民参与指南', ['社区居民参与指南']],
  ['栖山壹号', ['栖山壹号']],
])('%s breaks between its phrases', (title, phrases) => expect(phrasesOf(title)).toEqual(phrases));
