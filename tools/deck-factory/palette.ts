import type { Brush } from './svg.ts';

type Colours = Brush['c'];

export interface Palette {
  /** What the art is painted with. */
  art: Colours;
  /** Ground and ink of inner pages. */
  paper: string;
  ink: string;
  /** Accents of inner pages, most important first. */
  accents: readonly [string, string, string, string, string];
  /** Cover words: title, and the small lines. */
  title: string;
  small: string;
}

/** Five art colours, ground, ink, the two cover inks, and the accents by their place among the five. */
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
