import { expect, test } from 'vitest';
import { titleOfFile } from './titles.ts';

test.each([
  ['2024中秋_活动方案(1).pptx', '2024中秋 活动方案'],
  ['年会策划 - 副本.PPT', '年会策划'],
  ['ｶﾌｪ＿提案.pdf', 'カフェ 提案'],
  ['.pptx', '未命名方案'],
  ['a'.repeat(300) + '.pdf', 'a'.repeat(120)],
])('%s becomes a title', (file, title) => {
  expect(titleOfFile(file)).toBe(title);
});
