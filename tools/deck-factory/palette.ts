import type { Brush } from './svg.ts';

type Colours = Brush['c'];

export interface Palette {
  /** Colours of the art. */
  art: Colours;
  /** Background and text colour of inner pages. */
  paper: string;
  ink: string;
  /** Accents of inner pages, most important first. */
  accents: readonly [string, string, string, string, string];
  /** Text colours of the cover: the title, and the small lines. */
  title: string;
  small: string;
}

/**
 * Returns a palette from five art colours, background, text colour, the two text colours of the cover, and the indexes
 * of the accents among the five.
 */
export function palette(
  art: string,
  paper: string,
  ink: string,
  title: string,
  small: string,
  order = '01234',
): Palette {
  const a = art.split(' ');
  const pick = (i: number) => a[i] ?? 'C8371F';
  const five = (indexes: readonly number[]): Colours => [
    pick(indexes[0] ?? 0),
    pick(indexes[1] ?? 1),
    pick(indexes[2] ?? 2),
    pick(indexes[3] ?? 3),
    pick(indexes[4] ?? 4),
  ];
  return { art: five([0, 1, 2, 3, 4]), paper, ink, accents: five([...order].map(Number)), title, small };
}
