import type { ChartFrame } from '../../../charts/chart-data.ts';
import { chartOfAltText, type AltText, type PictureChart } from './alt-text.ts';
import { relationshipId } from '../formats/pptx-parts.ts';
import {
  addToXfrm,
  insideGroup,
  isHiddenShape,
  isTrue,
  isTurned,
  WHOLE_SLIDE,
  xfrmOfAttributes,
  type Size,
  type Transform,
  type Xfrm,
} from '../formats/shape-frames.ts';
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

/** A slide has a few charts; a thousand charts in one slide are an attack. */
const MAX_FRAMES = 200;

/**
 * Returns the charts of a slide in drawing order, including those in groups. A frame that is rotated or has no size has
 * no position to cut a picture from; such a picture is not returned. `slide` is in EMU.
 */
export function chartFrames(sld: XmlNode, slide: Size): SlideFrame[] {
  const found: SlideFrame[] = [];
  const walk = (node: XmlNode, transform: Transform) => {
    if (found.length >= MAX_FRAMES) return;
    for (const one of node.children) {
      if (isHiddenShape(propertiesOf(one))) continue;
      if (one.name === 'grpSp') walk(one, insideGroup(xfrmOf(child(one, 'grpSpPr', 'xfrm')), transform));
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
  if (tree) walk(tree, WHOLE_SLIDE);
  return found;
}

/** Returns the attributes of `nvPicPr`, `nvGrpSpPr` …, where name, title and description of a shape are. */
function propertiesOf(shape: XmlNode): string {
  const properties = shape.children.find((one) => /^nv\w*Pr$/.test(one.name));
  return child(properties, 'cNvPr')?.attributes ?? '';
}

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

function frameOf(node: XmlNode | undefined, to: Transform, slide: Size): ChartFrame | null {
  const xfrm = xfrmOf(node);
  if (!xfrm?.off || !xfrm.ext || to.isTurned || isTurned(xfrm)) return null;
  const placed = {
    x: (xfrm.off[0] * to.sx + to.dx) / slide.width,
    y: (xfrm.off[1] * to.sy + to.dy) / slide.height,
    width: (xfrm.ext[0] * to.sx) / slide.width,
    height: (xfrm.ext[1] * to.sy) / slide.height,
  };
  return Object.values(placed).every(Number.isFinite) && placed.width > 0 && placed.height > 0 ? placed : null;
}

function xfrmOf(node: XmlNode | undefined): Xfrm | null {
  if (!node) return null;
  const xfrm = xfrmOfAttributes(node.attributes);
  for (const { name, attributes } of node.children) addToXfrm(xfrm, name, attributes);
  return xfrm;
}
