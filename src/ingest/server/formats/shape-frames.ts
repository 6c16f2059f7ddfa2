import { xmlAttribute } from './xml-events.ts';

/** A size in EMU. */
export type Size = { width: number; height: number };

type Pair = [number, number];

/**
 * Position and size of a shape in the coordinates of its parent, in EMU; null where the XML has none. `chOff` and `chExt` are those of a
 * group for its children. `rotation` is in degrees, clockwise around the middle.
 */
export type Xfrm = {
  off: Pair | null;
  ext: Pair | null;
  chOff: Pair | null;
  chExt: Pair | null;
  rotation: number;
  isFlipped: boolean;
};

/** Maps coordinates of a shape's parent to those of the slide, in EMU: x → x · sx + dx. `isTurned`: a group around the shape is rotated or flipped. */
export type Transform = { sx: number; dx: number; sy: number; dy: number; isTurned: boolean };

export const WHOLE_SLIDE: Transform = { sx: 1, dx: 0, sy: 1, dy: 0, isTurned: false };

/** Whether the attributes of `cNvPr` say that the shape is switched off in the selection pane (ECMA-376, 20.1.2.2.8). */
export const isHiddenShape = (cNvPr: string) => isTrue(xmlAttribute(cNvPr, 'hidden'));

export const isTrue = (value: string | null) => value === '1' || value === 'true';

/** Returns an `xfrm` by its attributes, without the elements in it. */
export function xfrmOfAttributes(attributes: string): Xfrm {
  return {
    off: null,
    ext: null,
    chOff: null,
    chExt: null,
    rotation: Number(xmlAttribute(attributes, 'rot') ?? 0) / 60_000,
    isFlipped: ['flipH', 'flipV'].some((name) => isTrue(xmlAttribute(attributes, name))),
  };
}

/** Adds what an element directly below an `xfrm` says. */
export function addToXfrm(xfrm: Xfrm, name: string, attributes: string): void {
  if (name === 'off' || name === 'chOff') xfrm[name] = pair(attributes, 'x', 'y');
  if (name === 'ext' || name === 'chExt') xfrm[name] = pair(attributes, 'cx', 'cy');
}

function pair(attributes: string, first: string, second: string): Pair | null {
  const values: Pair = [
    Number(xmlAttribute(attributes, first) ?? Number.NaN),
    Number(xmlAttribute(attributes, second) ?? Number.NaN),
  ];
  return values.every(Number.isFinite) ? values : null;
}

export const isTurned = (xfrm: Xfrm | null) => xfrm !== null && (xfrm.rotation !== 0 || xfrm.isFlipped);

/**
 * Returns the transform of the children of a group, whose coordinates (`chOff`, `chExt`) are scaled to those of the
 * group (ECMA-376, 20.1.7.6).
 */
export function insideGroup(group: Xfrm | null, outer: Transform): Transform {
  const turned = outer.isTurned || isTurned(group);
  if (!group?.off || !group.ext) return { ...outer, isTurned: turned };
  const { off, ext, chOff, chExt } = group;
  const from = chOff ?? off;
  const size = chExt ?? ext;
  const sx = size[0] > 0 ? ext[0] / size[0] : 1;
  const sy = size[1] > 0 ? ext[1] / size[1] : 1;
  return {
    sx: outer.sx * sx,
    dx: outer.dx + outer.sx * (off[0] - from[0] * sx),
    sy: outer.sy * sy,
    dy: outer.dy + outer.sy * (off[1] - from[1] * sy),
    isTurned: turned,
  };
}

/**
 * Whether a shape lies wholly beside the slide, where no page shows it. False for a shape whose place is not known: a placeholder has that
 * of its layout, and the children of a rotated group are somewhere around its middle.
 */
export function isBesideSlide({ off, ext, rotation }: Xfrm, to: Transform, slide: Size): boolean {
  if (!off || !ext || to.isTurned) return false;
  const [width, height] = [ext[0] * to.sx, ext[1] * to.sy];
  const angle = (rotation * Math.PI) / 180;
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  const isBeside = (start: number, length: number, drawn: number, side: number) => {
    const from = start + (length - drawn) / 2;
    return from >= side || (from < 0 && from + drawn <= 0);
  };
  return (
    isBeside(off[0] * to.sx + to.dx, width, width * cos + height * sin, slide.width) ||
    isBeside(off[1] * to.sy + to.dy, height, width * sin + height * cos, slide.height)
  );
}
