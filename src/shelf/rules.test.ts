import { expect, test } from 'vitest';
import {
  characterCount,
  cleanFolderName,
  cleanNote,
  folderNameProblem,
  levelsOf,
  moveObstacle,
  noteProblem,
  pathOf,
} from './rules.ts';

const folder = (id: number, parentId: number | null) => ({ id, parentId, name: `文件夹${id}` });
/** 1 › 2 › 3, and 4 › 5 beside them. */
const FOLDERS = [folder(1, null), folder(2, 1), folder(3, 2), folder(4, null), folder(5, 4)];

test.each([
  ['  中秋 \n 提案 ', '中秋 提案'],
  ['\u0000\u200b', ''],
  ['\u3164', ''],
  ['\u115f\u1160\uffa0', ''],
  ['\u2800 \ufe0f', ''],
  ['中秋\u2800提案', '中秋 提案'],
  ['国庆🎆', '国庆🎆'],
  ['亲子👨\u200d👩\u200d👧日', '亲子👨\u200d👩\u200d👧日'],
])('a folder name %j becomes %j', (typed, name) => {
  expect(cleanFolderName(typed)).toBe(name);
});

test('a note keeps its lines and nothing else that is invisible', () => {
  expect(cleanNote(' 首选\r\n预算\u0007合适 \n')).toBe('首选\n预算合适');
  expect(cleanNote('首选\u202e选备\u2066 👨\u200d👩')).toBe('首选选备 👨\u200d👩');
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

test.each([
  ['', '请输入文件夹名称'],
  [' \u200b ', '请输入文件夹名称'],
  [` ${'🎆'.repeat(40)} `, null],
  ['长'.repeat(41), '文件夹名称至多 40 个字，现在 41 个'],
])('the name %j is good, or its owner is told why not', (typed, problem) => {
  expect(folderNameProblem(typed)).toBe(problem);
});

test('a note may be empty, and has 500 characters at most', () => {
  expect([noteProblem(''), noteProblem('🎆'.repeat(500))]).toEqual([null, null]);
  expect(noteProblem('长'.repeat(501))).toBe('备注至多 500 个字，现在 501 个');
});
