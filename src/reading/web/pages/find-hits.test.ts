import { describe, expect, it } from 'vitest';
import { hitBoxes } from './find-hits.ts';

const word = (text: string, x: number) => ({ text, x, y: 0.1, width: 0.2, height: 0.05 });

describe('the places of a text on a page', () => {
  it('is a part of a word, by its characters', () => {
    const [box, ...others] = hitBoxes([word('活动预算总表', 0)], ['预算']);
    expect(others).toEqual([]);
    expect(box).toMatchObject({ y: 0.1, height: 0.05 });
    expect(box?.x).toBeCloseTo(0.2 / 3);
    expect(box?.width).toBeCloseTo(0.2 / 3);
  });

  it('goes over words, in any case and width', () => {
    const boxes = hitBoxes([word('ＫＯＬ', 0), word('预算', 0.5)], ['kol 预']);
    expect(boxes.map(({ x }) => x)).toEqual([0, 0.5]);
    expect(boxes[0]?.width).toBeCloseTo(0.2);
    expect(boxes[1]?.width).toBeCloseTo(0.1);
  });

  it('is that of its words where they stand apart', () => {
    const page = [word('预算', 0), word('团队', 0.3), word('总表', 0.6)];
    expect(hitBoxes(page, ['预算 总表']).map(({ x }) => x)).toEqual([0, 0.6]);
    expect(hitBoxes(page, ['团队 总表']).map(({ x }) => x)).toEqual([0.3, 0.6]);
  });

  it('is the whole text where one of its spellings stands whole, and not the words of another', () => {
    const page = [word('策划方案', 0), word('方案', 0.3), word('方案', 0.6)];
    expect(hitBoxes(page, ['策劃 方案', '策划 方案']).map(({ x }) => x)).toEqual([0]);
  });

  it('is found each time, and nowhere for nothing', () => {
    expect(hitBoxes([word('预算预算', 0), word('预算', 0.5)], ['预算'])).toHaveLength(3);
    expect(hitBoxes([word('预算', 0)], [' '])).toEqual([]);
    expect(hitBoxes([], ['预算'])).toEqual([]);
  });
});
