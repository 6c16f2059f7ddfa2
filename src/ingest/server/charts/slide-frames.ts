import type { ChartFrame } from '../../../charts/chart-data.ts';
import { chartOfAltText, type AltText, type PictureChart } from './alt-text.ts';
import { relationshipId } from '../formats/pptx-parts.ts';
import { xmlAttribute } from '../formats/xml-events.ts';
import { isLarge } from './cut-frame.ts';
import { child, type XmlNode } from '../formats/xml-tree.ts';

/** A chart on a slide: where it is stored, and its position in fractions of the slide. */
export type SlideFrame =
  | { kind: 'part'; relationshipId: string; frame: ChartFrame | null }
  /** An object of Microsoft Graph or Excel. */
  | { kind: 'object'; relationshipId: string; frame: ChartFrame | null }
  /** A picture; the type of the chart is known from its alternative text only. */
  | { kind: 'picture'; chart: PictureChart; frame: ChartFrame };

/** Maps coordinates of a shape's parent to those of the slide, in EMU: x → x · sx + dx. */
type Transform = { sx: number; dx: number; sy: number; dy: number; isTurned: boolean };

const WHOLE: Transform = { sx: 1, dx: 0, sy: 1, dy: 0, isTurned: false };
/** A slide has a few charts; a thousand charts in one slide are an attack. */
const MAX_FRAMES = 200;

/**
 * Returns the charts of a slide in drawing order, including those in groups. A frame that is rotated or has no size has
 * no position to cut a picture from; such a picture is not returned. `slide` is in EMU.
 */
export function chartFrames(sld: XmlNode, slide: { width: number; height: number }): SlideFrame[] {
  const found: SlideFrame[] = [];
  const walk = (node: XmlNode, transform: Transform) => {
    if (found.length >= MAX_FRAMES) return;
    for (const one of node.children) {
      if (isHidden(one)) continue;
      if (one.name === 'grpSp') walk(one, insideGroup(one, transform));
      // Choice holds the native object, Fallback its picture for older programs.
      else if (one.name === 'AlternateContent') for (const choice of one.children.slice(0, 1)) walk(choice, transform);
      else if (one.name === 'graphicFrame') {
        const kept = chartRelationship(one);
        if (kept) found.push({ ...kept, frame: frameOf(child(one, 'xfrm'), transform, slide) });
      } else if (one.name === 'pic') {
        const frame = frameOf(child(one, 'spPr', 'xfrm'), transform, slide);
        const chart = frame && isLarge(frame) ? chartOfAltText(altTextOf(one)) : null;
        if (frame && chart) found.push({ kind: 'picture', chart, frame });
      }
    }
  };
  const tree = child(sld, 'cSld', 'spTree');
  if (tree) walk(tree, WHOLE);
  return found;
}

/** Returns the attributes of `nvPicPr`, `nvGrpSpPr` …, where name, title and description of a shape are. */
function propertiesOf(shape: XmlNode): string {
  const properties = shape.children.find((one) => /^nv\w*Pr$/.test(one.name));
  return child(properties, 'cNvPr')?.attributes ?? '';
}

/** Whether a shape is switched off in the selection pane (ECMA-376, 20.1.2.2.8). */
const isHidden = (shape: XmlNode) => isTrue(xmlAttribute(propertiesOf(shape), 'hidden'));

const isTrue = (value: string | null) => value === '1' || value === 'true';

function altTextOf(picture: XmlNode): AltText {
  const attributes = propertiesOf(picture);
  const text = (name: string) => xmlAttribute(attributes, name) ?? '';
  return { name: text('name'), title: text('title'), descr: text('descr') };
}

/** The transitional and the strict namespace both end like this. */
const CHART_URI = /\/(chart|chartex)$/;
const OBJECT_URI = /\/ole$/;
const CHART_PROGRAM = /^(MSGraph|Excel)\.Chart\b/i;

function chartRelationship(frame: XmlNode): { kind: 'part' | 'object'; relationshipId: string } | null {
  const data = child(frame, 'graphic', 'graphicData');
  const uri = data ? (xmlAttribute(data.attributes, 'uri') ?? '') : '';
  if (CHART_URI.test(uri)) {
    const id = relationshipId(child(data, 'chart')?.attributes ?? '');
    return id ? { kind: 'part', relationshipId: id } : null;
  }
  // Since Office 2010 the object is inside an AlternateContent, with the same relationship in both branches.
  const object =
    child(data, 'oleObj') ??
    child(data, 'AlternateContent', 'Choice', 'oleObj') ??
    child(data, 'AlternateContent', 'Fallback', 'oleObj');
  if (!object || !OBJECT_URI.test(uri) || !CHART_PROGRAM.test(xmlAttribute(object.attributes, 'progId') ?? ''))
    return null;
  // Only the icon of the object is visible.
  if (isTrue(xmlAttribute(object.attributes, 'showAsIcon'))) return null;
  const id = relationshipId(object.attributes);
  return id ? { kind: 'object', relationshipId: id } : null;
}

/**
 * Returns the transform of the children of a group, whose coordinates (`chOff`, `chExt`) are scaled to those of the
 * group (ECMA-376, 20.1.7.6).
 */
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

function frameOf(
  xfrm: XmlNode | undefined,
  to: Transform,
  slide: { width: number; height: number },
): ChartFrame | null {
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
  const flips = ['flipH', 'flipV'].some((name) => isTrue(xmlAttribute(xfrm.attributes, name)));
  return rotation !== 0 || flips;
}
