import { expect, test } from 'vitest';
import { characterCount, cleanFolderName, cleanNote, levelsOf, moveObstacle, pathOf } from './rules.ts';

const folder = (id: number, parentId: number | null) => ({ id, parentId, name: `文件夹${id}` });
/** 1 › 2 › 3, and 4 › 5 beside them. */
const FOLDERS = [folder(1, null), folder(2, 1), folder(3, 2), folder(4, null), folder(5, 4)];

test.each([
  ['  中秋 \n 提案 ', '中秋 提案'],
  ['\u0000\u200b', ''],
  ['国庆🎆', '国庆🎆'],
])('a folder name %j becomes %j', (typed, name) => {
  expect(cleanFolderName(typed)).toBe(name);
});

test('a note keeps its lines and nothing else that is invisible', () => {
  expect(cleanNote(' 首选\r\n预算\u0007合适 \n')).toBe('首选\n预算合适');
});

test('an emoji counts as one character', () => {
  expect(characterCount('国庆🎆')).toBe(3);
});

test('the path of a folder begins at the top, and ends where folders form a ring', () => {
  expect(pathOf(FOLDERS, 3).map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(pathOf(FOLDERS, 9)).toEqual([]);
  expect(pathOf([folder(1, 2), folder(2, 1)], 1).map(({ id }) => id)).toEqual([2, 1]);
});

test('levels are counted down to the deepest folder', () => {
  expect([1, 2, 3, 4].map((id) => levelsOf(FOLDERS, id))).toEqual([3, 2, 1, 2]);
});

test.each([
  [4, 2, null],
  [4, 3, 'too-deep'],
  [1, 3, 'within-itself'],
  [1, 1, 'within-itself'],
  [2, null, null],
] as const)('folder %s into %s: %s', (id, parentId, obstacle) => {
  expect(moveObstacle(FOLDERS, id, parentId)).toBe(obstacle);
});
