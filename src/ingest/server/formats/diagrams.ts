import type { Zip } from './open-zip.ts';
import { part, relationshipsById } from './pptx-parts.ts';
import { readShapes } from './read-shapes.ts';
import { xmlAttribute, xmlEvents } from './xml-events.ts';

/**
 * Returns the lines of the SmartArt of a slide, which are in parts of their own; `ids` are the relationships of the slide to their data.
 * The drawing that the author's program stored beside the data holds what pages show, and LibreOffice draws it. Without a drawing all
 * text of the data is returned.
 */
export async function diagramLines(zip: Zip, slide: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const relationships = new Map(await relationshipsById(zip, slide));
  const partOf = (id: string) => {
    const relationship = relationships.get(id);
    return relationship && !relationship.external ? relationship.target : '';
  };
  const found: string[][] = [];
  // A hostile slide may name one diagram many times, also by different relationships.
  for (const name of new Set(ids.map(partOf))) {
    const data = await part(zip, name);
    if (data === null) continue;
    const drawing = await part(zip, partOf(drawingOf(data)));
    const drawn = drawing === null ? [] : linesOf(drawing);
    found.push(drawn.length > 0 ? drawn : linesOf(data));
  }
  return found.flat();
}

/** Returns the relationship of the slide to the drawing of a diagram (MS-ODRAWXML 2.4.3, `dataModelExt`); "" when there is none. */
function drawingOf(data: string): string {
  for (const event of xmlEvents(data))
    if (event.type === 'open' && event.name === 'dataModelExt') return xmlAttribute(event.attributes, 'relId') ?? '';
  return '';
}

const linesOf = (xml: string) => readShapes(xml, null).shapes.flatMap((shape) => shape.lines);
