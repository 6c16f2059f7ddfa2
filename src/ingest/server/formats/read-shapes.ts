import { relationshipId } from './pptx-parts.ts';
import {
  addToXfrm,
  insideGroup,
  isBesideSlide,
  isHiddenShape,
  WHOLE_SLIDE,
  xfrmOfAttributes,
  type Size,
  type Transform,
  type Xfrm,
} from './shape-frames.ts';
import { xmlAttribute, xmlEvents } from './xml-events.ts';

/** The text of a shape or of a cell of a table. `size` is the largest font size in it, in hundredths of a point. */
export type Shape = { placeholder: string; size: number; lines: string[] };

const SHAPES = new Set(['sp', 'grpSp', 'graphicFrame', 'pic', 'cxnSp', 'contentPart']);

/** A shape whose end has not been read. `inside` maps coordinates of its children to those of the slide. */
type OpenShape = { name: string; xfrm: Xfrm | null; inside: Transform; isUnseen: boolean };

/**
 * Follows the shapes of a slide that are open: tell it the elements in their order. `isUnseen` says whether a shape around the
 * place that was read is switched off, or lies wholly beside a slide of this `size`; with null the place of shapes is not looked at.
 */
function followShapes(size: Size | null) {
  const open: OpenShape[] = [];
  let isInXfrm = false;
  const endXfrm = () => {
    const shape = open.at(-1);
    const around = open.at(-2)?.inside ?? WHOLE_SLIDE;
    isInXfrm = false;
    if (!shape?.xfrm) return;
    if (shape.name === 'grpSp') shape.inside = insideGroup(shape.xfrm, around);
    else if (size && isBesideSlide(shape.xfrm, around, size)) shape.isUnseen = true;
  };
  return {
    isUnseen: () => open.at(-1)?.isUnseen ?? false,
    opened(name: string, attributes: string, empty: boolean) {
      const shape = open.at(-1);
      if (SHAPES.has(name) && !empty)
        open.push({ name, xfrm: null, inside: shape?.inside ?? WHOLE_SLIDE, isUnseen: shape?.isUnseen ?? false });
      else if (isInXfrm && shape?.xfrm) addToXfrm(shape.xfrm, name, attributes);
      else if (name === 'cNvPr' && shape && isHiddenShape(attributes)) shape.isUnseen = true;
      else if (name === 'xfrm' && shape?.xfrm === null && !empty) {
        shape.xfrm = xfrmOfAttributes(attributes);
        isInXfrm = true;
      }
    },
    closed(name: string) {
      if (name === 'xfrm' && isInXfrm) endXfrm();
      else if (name === open.at(-1)?.name) open.pop();
    },
  };
}

/**
 * Returns the lines of each shape of a slide of this `size`, in drawing order, without the shapes that are not seen. An `mc:Fallback`
 * repeats its `mc:Choice` and is skipped. `hidden` is of the slide; `diagrams` are the relationships to the data of its SmartArt.
 */
export function readShapes(xml: string, size: Size | null): { hidden: boolean; shapes: Shape[]; diagrams: string[] } {
  let shape: Shape = { placeholder: '', size: 0, lines: [] };
  // The first one gets the text outside shapes, as that of the data of a diagram.
  const shapes = [shape];
  const diagrams: string[] = [];
  const around = followShapes(size);
  let hidden = false;
  let fallback = 0;
  let line: string | null = null;
  let inText = false;
  for (const event of xmlEvents(xml)) {
    if (event.type === 'text') {
      if (inText && line !== null) line += event.text;
      continue;
    }
    if (event.name === 'Fallback' && !(event.type === 'open' && event.empty))
      fallback += event.type === 'open' ? 1 : -1;
    if (fallback > 0) continue;
    if (event.type === 'close') {
      around.closed(event.name);
      if (event.name === 't') inText = false;
      if (event.name === 'p' && line !== null) {
        shape.lines.push(line);
        line = null;
      }
      continue;
    }
    around.opened(event.name, event.attributes, event.empty);
    if (event.name === 'sld' && xmlAttribute(event.attributes, 'show') !== null) {
      hidden = ['0', 'false'].includes(xmlAttribute(event.attributes, 'show') ?? '');
    }
    if (around.isUnseen()) continue;
    if (event.name === 'sp' || event.name === 'graphicFrame' || event.name === 'tc') {
      shape = { placeholder: '', size: 0, lines: [] };
      shapes.push(shape);
    }
    if (event.name === 'relIds') diagrams.push(relationshipId(event.attributes, 'dm'));
    if (event.name === 'ph') shape.placeholder = xmlAttribute(event.attributes, 'type') ?? 'obj';
    if (event.name === 'rPr' || event.name === 'defRPr') {
      shape.size = Math.max(shape.size, Number(xmlAttribute(event.attributes, 'sz') ?? 0));
    }
    if (event.name === 'p' && !event.empty) line = '';
    if (event.name === 'br' && line !== null) line += '\n';
    if (event.name === 't' && !event.empty) inText = true;
  }
  return { hidden, shapes, diagrams };
}
