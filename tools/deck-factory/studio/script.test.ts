import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { readZip } from '../zip.ts';
import { readCatalogue } from '../catalogue.ts';
import { items, parts, readScripts, series } from './script.ts';
import { writeScript } from './write-script.ts';

const HEAD = '@ ink 1 2 | slug | 名 | 牌 | 文旅 | 国潮文化;节日营销 | 提案 | 洛阳 | 灯 | 一句 | LANTERN';

describe('the notation', () => {
  it('reads a head and its pages', () => {
    const [script] = readScripts(`${HEAD}\nfigures 规模 | 9里:灯轴 / 15夜:档期 | 备注`);
    expect(script).toMatchObject({ look: 'ink', variant: 1, palette: 2, themes: ['国潮文化', '节日营销'] });
    expect(script?.blocks).toEqual([{ kind: 'figures', title: '规模', fields: ['9里:灯轴 / 15夜:档期', '备注'] }]);
    expect(items('a / b / -')).toEqual(['a', 'b']);
    expect(parts('a:b', 3)).toEqual(['a', 'b', '']);
    expect(series('营收=1,2.5')).toEqual({ name: '营收', values: [1, 2.5] });
  });

  it('refuses a head with a field missing, an unknown look, and words where numbers belong', () => {
    expect(() => readScripts('@ ink 1 2 | slug')).toThrow('expected 11 fields');
    expect(() => readScripts(HEAD.replace('ink', 'none'))).toThrow('unknown look none');
    expect(() => series('营收=一,2')).toThrow('not numbers');
  });
});

describe('writeScript', () => {
  it('writes a deck of native charts, the same bytes each time', async () => {
    const [script] = readScripts(
      `${HEAD}\ncolumn 客流 | 一月,二月 | 今年=3,4 / 去年=2,3\npie 渠道 | 甲=3 / 乙=1\nbudget 预算 | 灯:主灯:2:300`,
    );
    if (!script) throw new Error('no script');
    const folder = await mkdtemp(join(tmpdir(), 'ceku-script-'));
    try {
      const first = await writeScript(script, 200, '2026-11-20', folder);
      expect(await writeScript(script, 200, '2026-11-20', folder)).toEqual(first);
      const parts = readZip(first).map((entry) => entry.name);
      expect(parts.filter((name) => /^ppt\/charts\/chart\d+\.xml$/.test(name))).toHaveLength(2);
      expect(parts.filter((name) => /^ppt\/slides\/slide\d+\.xml$/.test(name))).toHaveLength(5);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('lays nothing visible over the charts of a deck that becomes a PDF: the picture with the description is transparent', async () => {
    const [script] = readScripts(`${HEAD}\npie 渠道 | 甲=3 / 乙=1`);
    if (!script) throw new Error('no script');
    const folder = await mkdtemp(join(tmpdir(), 'ceku-script-'));
    try {
      const entries = readZip(await writeScript(script, 200, '2026-11-20', folder, true));
      const pixels = await Promise.all(
        entries
          .filter(({ name }) => /^ppt\/media\/.*\.png$/.test(name))
          .map(({ data }) => sharp(data).ensureAlpha().raw().toBuffer({ resolveWithObject: true })),
      );
      const [picture] = pixels.filter(({ info }) => info.width === 1);
      expect(picture?.data.at(-1)).toBe(0);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('names the deck and the page that is wrong', async () => {
    const [script] = readScripts(`${HEAD}\nbudget 预算 | 灯:主灯:两:300`);
    if (!script) throw new Error('no script');
    const folder = await mkdtemp(join(tmpdir(), 'ceku-script-'));
    await expect(writeScript(script, 200, '2026-11-20', folder)).rejects.toThrow(
      'slug, budget 预算: not a budget line',
    );
    await rm(folder, { recursive: true, force: true });
  });
});

describe('the scripted decks', () => {
  const scripts = readCatalogue().flatMap(({ script }) => script ?? []);

  it('speak eight visual languages, none of them rarely, from short to long', () => {
    const looks = Map.groupBy(scripts, (script) => script.look);
    expect(looks.size).toBe(8);
    for (const [look, list] of looks) expect(list.length, look).toBeGreaterThanOrEqual(6);
    const lengths = scripts.map((script) => script.blocks.length).sort((a, b) => a - b);
    expect(lengths[0]).toBeLessThanOrEqual(5);
    expect(lengths.at(-1)).toBeGreaterThanOrEqual(20);
  });

  it('use every kind of chart several times', () => {
    const kinds = scripts.flatMap((script) => script.blocks.map((block) => block.kind));
    for (const kind of 'column bar stack line area pie doughnut radar scatter bubble combo'.split(' ')) {
      expect(kinds.filter((each) => each === kind).length, kind).toBeGreaterThanOrEqual(2);
    }
  });
});
