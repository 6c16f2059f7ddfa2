import { expect, it } from 'vitest';
import { detailFileType, FILE_KINDS, fileKindOf, fileKindOfFilter, listFileType } from './file-types.ts';

it.each([
  ['pptx', { file_type: 1, file_type_text: 'PPTX' }, { file_type: 2, file_type_text: 'PPT' }, 1],
  ['ppt', { file_type: 2, file_type_text: 'PPT' }, { file_type: 2, file_type_text: 'PPT' }, 1],
  ['pdf', { file_type: 3, file_type_text: 'PDF' }, { file_type: 1, file_type_text: 'PDF' }, 2],
] as const)('%s on the detail, in lists and in the filter', (type, detail, list, filter) => {
  expect(detailFileType(type)).toEqual(detail);
  expect(listFileType(type)).toEqual(list);
  expect(fileKindOf(type).id).toBe(filter);
  expect(fileKindOfFilter(filter)?.types).toContain(type);
});

it.each([0, 3, -1, 9_999])('filter %i asks for all', (filetype) => expect(fileKindOfFilter(filetype)).toBeNull());

it('has an entity for each filter value', () => {
  expect(FILE_KINDS.map(({ id, name }) => [id, name])).toEqual([
    [1, 'PPT'],
    [2, 'PDF'],
  ]);
});
