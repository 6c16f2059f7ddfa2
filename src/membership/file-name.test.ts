import { expect, it } from 'vitest';
import { contentDisposition, downloadFileName, pageFileName, safeFileName } from './file-name.ts';

it.each([
  ['2026 夏日音乐节策划方案', '2026 夏日音乐节策划方案.pptx'],
  ['<em>音乐</em>节', '音乐节.pptx'],
  ['预算 < 10万 > 5万', '预算 _ 10万 _ 5万.pptx'],
  ['a/b\\c:d*e?f"g|h', 'a_b_c_d_e_f_g_h.pptx'],
  ['换行\r\n注入', '换行__注入.pptx'],
  ['..隐藏文件.. ', '隐藏文件.pptx'],
  ['../../etc/passwd', '_.._etc_passwd.pptx'],
  ['方案.PPTX', '方案.pptx'],
  ['方案v1.5', '方案v1.5.pptx'],
  ['fdp.\u202etxet', 'fdp.txet.pptx'],
  ['\ud800坏字', '坏字.pptx'],
  ['', '方案_9.pptx'],
  [' . ', '方案_9.pptx'],
  ['<b></b>', '方案_9.pptx'],
  ['???', '方案_9.pptx'],
  ['NUL', 'NUL_.pptx'],
  ['🐱'.repeat(300), `${'🐱'.repeat(115)}.pptx`],
])('%j is saved as %j', (name, saved) => {
  expect(downloadFileName(name, 9, 'pptx')).toBe(saved);
});

it.each([
  ['春季新品/上市方案', 12, '春季新品_上市方案 第12页.jpg'],
  ['方案.pptx', 1, '方案 第1页.jpg'],
  ['???', 3, '方案_9 第3页.jpg'],
  ['长'.repeat(300), 120, `${'长'.repeat(110)} 第120页.jpg`],
])('a page of %j is saved as an image under its title and its number', (name, page, saved) => {
  expect(pageFileName(name, 9, page)).toBe(saved);
  expect([...saved].length).toBeLessThanOrEqual(120);
});

it('cuts any other name to 120 characters, its extension included', () => {
  expect(safeFileName('长'.repeat(300), '我的收藏', 'csv')).toBe(`${'长'.repeat(116)}.csv`);
  expect(safeFileName('???', '我的收藏', 'csv')).toBe('我的收藏.csv');
});

it('takes the extension of the true type', () => {
  expect(downloadFileName('方案.pptx', 9, 'pdf')).toBe('方案.pdf');
});

it('names the file for old clients and for new ones', () => {
  const header = contentDisposition("音乐节 (终稿)'*.pptx", 9, 'pptx');
  expect(header).toBe(
    `attachment; filename="plan_9.pptx"; filename*=UTF-8''%E9%9F%B3%E4%B9%90%E8%8A%82%20%28%E7%BB%88%E7%A8%BF%29%27%2A.pptx`,
  );
  expect(new Headers({ 'content-disposition': header }).get('content-disposition')).toBe(header);
});
