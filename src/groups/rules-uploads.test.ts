import { expect, it } from 'vitest';
import { refusalText, uploadName } from './rules-uploads.ts';

it.each([
  ['C:\\方案\\内部\u202e提案\u0000.pptx', '内部提案'],
  ['亲子👨\u200d👩\u200d👧日.pdf', '亲子👨\u200d👩\u200d👧日'],
  ['\u200d.pdf', '未命名文件'],
  ['\u3164\u2800.pdf', '未命名文件'],
])('a file %j is shown as %j', (fileName, shown) => {
  expect(uploadName(fileName)).toBe(shown);
});

it('a refusal for the size of the pages does not speak of the library', () => {
  expect(refusalText('page-size', 'pdf')).toBe('页面尺寸异常，请调整后重新上传');
});
