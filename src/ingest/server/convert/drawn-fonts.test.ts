import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { convertToPdf, findConverter } from './convert-to-pdf.ts';
import { substitutionsOf } from './drawn-fonts.ts';
import { deckOf } from '../../../../tests/samples/deck.ts';
import { fontsOfOwnPdf } from './own-pdf.ts';
import { findProgram } from '../sandbox/run-child.ts';

const hasFontconfig = findProgram('fc-match') !== null;

function countChildren(): number {
  const tasks = `/proc/${process.pid}/task`;
  return readdirSync(tasks).flatMap((task) => readFileSync(`${tasks}/${task}/children`, 'utf8').match(/\d+/g) ?? [])
    .length;
}

test.skipIf(!hasFontconfig)(
  'substitutionsOf names replaced fonts, and leaves out fonts that were not replaced',
  async () => {
    const named = ['No Such Font At All', 'NotoSansCJKsc-Bold', 'Noto Sans CJK SC'];
    const found = await substitutionsOf(named, ['NotoSansCJKsc-Regular', 'NotoSansCJKsc-Bold']);
    expect(Object.keys(found)).toEqual(['No Such Font At All']);
    expect(found['No Such Font At All']).not.toBe('');
  },
);

const drawnAs = async (name: string) => (await substitutionsOf([name], []))[name];
// Debian's fonts-noto-cjk has these two weights; with fonts-noto-cjk-extra a heavy one is drawn as Black.
const hasSans = hasFontconfig && (await drawnAs('黑体')) === 'Noto Sans CJK SC';
const hasSerif = hasFontconfig && (await drawnAs('宋体')) === 'Noto Serif CJK SC';
const hasHeavy = hasFontconfig && /Black$/.test((await drawnAs('思源黑体 CN Heavy')) ?? '');

describe.skipIf(!hasSans || !hasSerif || hasHeavy)('a weight that is a part of the name is kept', () => {
  test.for([
    '思源黑体 CN Heavy',
    '思源黑体 CN Bold',
    'Source Han Sans CN Heavy',
    'SourceHanSansCN-Bold',
    '阿里巴巴普惠体 B',
    '阿里巴巴普惠体 H',
    '阿里巴巴普惠体 2.0 95 ExtraBold',
    'Alibaba PuHuiTi 3.0 115 Black',
    '阿里巴巴普惠体 3.0 75 SemiBold',
    'OPPOSans B',
    'OPPOSans H',
    'HarmonyOS Sans SC Black',
    'MiSans Demibold',
    'MiSans Heavy',
    'PingFang SC Semibold',
    '苹方 粗体',
    '微软雅黑 Bold',
    '方正兰亭粗黑_GBK',
    '方正兰亭中粗黑_GBK',
    '方正兰亭特黑简体',
    '优设标题黑',
    '站酷高端黑',
    '庞门正道标题体',
  ])('bold: %s', async (name) => expect(await drawnAs(name)).toBe('Noto Sans CJK SC Bold'));

  test.for([
    '思源黑体',
    '思源黑体 CN Regular',
    '思源黑体 CN Light',
    '阿里巴巴普惠体 R',
    '阿里巴巴普惠体 2.0 55 Regular',
    'OPPOSans R',
    'HarmonyOS Sans SC Medium',
    'MiSans',
    '微软雅黑',
    '微软雅黑 Light',
    'PingFang SC',
    '方正兰亭细黑_GBK',
    '等线 Light',
  ])('regular: %s', async (name) => expect(await drawnAs(name)).toBe('Noto Sans CJK SC'));

  test.for([
    '思源宋体 CN Heavy',
    'Source Han Serif CN SemiBold',
    'Noto Serif CJK SC Black',
    '方正小标宋简体',
    '华文中宋',
  ])('a serif stays one: %s', async (name) => expect(await drawnAs(name)).toBe('Noto Serif CJK SC Bold'));

  test.skipIf(findConverter() === null)('LibreOffice draws them so', { timeout: 60_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ceku-weights-'));
    const run = (font: string) =>
      `<a:r><a:rPr><a:latin typeface="${font}"/><a:ea typeface="${font}"/></a:rPr><a:t>中秋 Plan</a:t></a:r>`;
    const drawn = async (name: string, fonts: string[]) => {
      const path = join(folder, `${name}.pptx`);
      const more = `<p:sp><p:txBody>${fonts.map((font) => `<a:p>${run(font)}</a:p>`).join('')}</p:txBody></p:sp>`;
      await writeFile(path, deckOf({ slides: [{ more }] }));
      const pdf = await convertToPdf({ path, fileType: 'pptx', workDir: folder, slides: 1 });
      return (await fontsOfOwnPdf(pdf)).map((font) => font.replace(/CJK(?:jp|sc)|-VKana/g, ''));
    };
    const heavy = ['思源黑体 CN Heavy', '阿里巴巴普惠体 B', 'OPPOSans B', '思源宋体 CN Heavy'];
    expect(await drawn('heavy', heavy)).toEqual(['NotoSans-Bold', 'NotoSerif-Bold']);
    expect(await drawn('plain', ['思源黑体 CN Regular', '微软雅黑'])).toEqual(['NotoSans-Regular']);
    await rm(folder, { recursive: true });
  });
});

test.skipIf(!hasFontconfig)('a font name that fontconfig rejects is left out, the others are answered', async () => {
  const found = await substitutionsOf(['nul \0 inside', 'long '.repeat(40_000), 'No Such Font Either'], []);
  expect(Object.keys(found)).toEqual(['No Such Font Either']);
});

test.skipIf(!hasFontconfig || process.platform !== 'linux')(
  'a hundred names, in two decks at once, are asked few at a time',
  { timeout: 60_000 },
  async () => {
    const before = countChildren();
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, countChildren() - before)), 5);
    const names = (deck: string) => Array.from({ length: 100 }, (_, at) => `${deck} Font ${at}`);
    const found = await Promise.all(['One', 'Two'].map((deck) => substitutionsOf(names(deck), [], { maxMs: 50_000 })));
    clearInterval(watch);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(2);
    for (const one of found) expect(Object.keys(one)).toHaveLength(40);
  },
);
