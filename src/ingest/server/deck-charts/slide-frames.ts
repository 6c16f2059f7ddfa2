import type { ChartFrame } from '../../../charts/chart-data.ts';
import { relationshipId } from '../pptx-parts.ts';
import { xmlAttribute } from '../xml-events.ts';
import { child, type XmlNode } from './xml-tree.ts';

/** A chart's frame on a slide: the relationship of its part, and where it stands in fractions of the slide. */
export type SlideFrame = { relationshipId: string; frame: ChartFrame | null };

/** From the coordinates of a shape's parent to those of the slide, in EMU: x → x · sx + dx. */
type Transform = { sx: number; dx: number; sy: number; dy: number; isTurned: boolean };

const WHOLE: Transform = { sx: 1, dx: 0, sy: 1, dy: 0, isTurned: false };
/** A slide has a few charts; a thousand in one is an attack. */
const MAX_FRAMES = 200;

/**
 * The chart frames of a slide, in the order they are drawn, those in groups included. A frame that is turned, or has no size, has no
 * place that could be cut. `slide` in EMU.
 */
export function chartFrames(sld: XmlNode, slide: { width: number; height: number }): SlideFrame[] {
  const found: SlideFrame[] = [];
  const walk = (node: XmlNode, transform: Transform) => {
    if (found.length >= MAX_FRAMES) return;
    for (const one of node.children) {
      if (isHidden(one)) continue;
      if (one.name === 'grpSp') walk(one, insideGroup(one, transform));
      // What Office draws stands in Choice; Fallback is its picture for older programs.
      else if (one.name === 'AlternateContent') for (const choice of one.children.slice(0, 1)) walk(choice, transform);
      else if (one.name === 'graphicFrame') {
        const id = chartRelationship(one);
        if (id) found.push({ relationshipId: id, frame: frameOf(one, transform, slide) });
      }
    }
  };
  const tree = child(sld, 'cSld', 'spTree');
  if (tree) walk(tree, WHOLE);
  return found;
}

/** Switched off in the selection pane: nobody sees it on the slide (ECMA-376, 20.1.2.2.8). */
function isHidden(shape: XmlNode): boolean {
  const properties = shape.children.find((one) => /^nv\w*Pr$/.test(one.name));
  const known = child(properties, 'cNvPr');
  return known !== undefined && ['1', 'true'].includes(xmlAttribute(known.attributes, 'hidden') ?? '');
}

/** Both namespaces, transitional and strict, end like this. */
const CHART_URI = /\/(chart|chartex)$/;

function chartRelationship(frame: XmlNode): string {
  const data = child(frame, 'graphic', 'graphicData');
  if (!data || !CHART_URI.test(xmlAttribute(data.attributes, 'uri') ?? '')) return '';
  return relationshipId(child(data, 'chart')?.attributes ?? '');
}

/** A group's children live in a space of their own, `chOff`/`chExt`, which is stretched over its `off`/`ext` (ECMA-376, 20.1.7.6). */
function insideGroup(group: XmlNode, outer: Transform): Transform {
  const xfrm = child(group, 'grpSpPr', 'xfrm');
  const off = pair(xfrm, 'off', 'x', 'y');
  const ext = pair(xfrm, 'ext', 'cx', 'cy');
  const chOff = pair(xfrm, 'chOff', 'x', 'y') ?? off;
  const chExt = pair(xfrm, 'chExt', 'cx', 'cy') ?? ext;
  const isTurned = outer.isTurned || turns(xfrm);
  if (!off || !ext || !chOff || !chExt) return { ...outer, isTurned };
  const sx = chExt[0] > 0 ? ext[0] / chExt[0] : 1;
  const sy = chExt[1] > 0 ? ext[1] / chExt[1] : 1;
  return {
    sx: outer.sx * sx,
    dx: outer.dx + outer.sx * (off[0] - chOff[0] * sx),
    sy: outer.sy * sy,
    dy: outer.dy + outer.sy * (off[1] - chOff[1] * sy),
    isTurned,
  };
}

function frameOf(frame: XmlNode, to: Transform, slide: { width: number; height: number }): ChartFrame | null {
  const xfrm = child(frame, 'xfrm');
  const off = pair(xfrm, 'off', 'x', 'y');
  const ext = pair(xfrm, 'ext', 'cx', 'cy');
  if (!off || !ext || to.isTurned || turns(xfrm)) return null;
  const placed = {
    x: (off[0] * to.sx + to.dx) / slide.width,
    y: (off[1] * to.sy + to.dy) / slide.height,
    width: (ext[0] * to.sx) / slide.width,
    height: (ext[1] * to.sy) / slide.height,
  };
  return Object.values(placed).every(Number.isFinite) && placed.width > 0 && placed.height > 0 ? placed : null;
}

function pair(xfrm: XmlNode | undefined, name: string, first: string, second: string): [number, number] | null {
  const node = child(xfrm, name);
  if (!node) return null;
  const values: [number, number] = [
    Number(xmlAttribute(node.attributes, first) ?? Number.NaN),
    Number(xmlAttribute(node.attributes, second) ?? Number.NaN),
  ];
  return values.every(Number.isFinite) ? values : null;
}

function turns(xfrm: XmlNode | undefined): boolean {
  if (!xfrm) return false;
  const rotation = Number(xmlAttribute(xfrm.attributes, 'rot') ?? 0);
  const flips = ['flipH', 'flipV'].some((name) => ['1', 'true'].includes(xmlAttribute(xfrm.attributes, name) ?? ''));
  return rotation !== 0 || flips;
}
