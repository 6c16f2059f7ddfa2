import { posix } from 'node:path';
import type { Zip } from './open-zip.ts';
import { decodeXml, xmlAttribute, xmlAttributes, xmlEvents } from './xml-events.ts';

/** `type` is the last word of the type URI. `target` is the name of a part, or an address when `external`. */
export type Relationship = { type: string; target: string; external: boolean };

/** Returns the text of an XML part; null when there is no such part. */
export async function part(zip: Zip, name: string): Promise<string | null> {
  const bytes = await zip.read(name);
  return bytes === null ? null : decodeXml(bytes);
}

/** Returns the relationships of a part by their ids; for "" those of the package. */
export async function relationshipsById(zip: Zip, name: string): Promise<[string, Relationship][]> {
  const folder = posix.dirname(name);
  const xml = await part(zip, posix.join(folder, '_rels', `${posix.basename(name)}.rels`));
  if (xml === null) return [];
  const found: [string, Relationship][] = [];
  for (const event of xmlEvents(xml)) {
    if (event.type !== 'open' || event.name !== 'Relationship') continue;
    const target = xmlAttribute(event.attributes, 'Target') ?? '';
    const type = (xmlAttribute(event.attributes, 'Type') ?? '').split('/').pop() ?? '';
    const external = xmlAttribute(event.attributes, 'TargetMode') === 'External';
    const inside = target.startsWith('/') ? target.slice(1) : posix.normalize(posix.join(folder, target));
    found.push([xmlAttribute(event.attributes, 'Id') ?? '', { type, target: external ? target : inside, external }]);
  }
  return found;
}

export async function relationships(zip: Zip, name: string): Promise<Relationship[]> {
  return (await relationshipsById(zip, name))
    .map(([, relationship]) => relationship)
    .filter(({ external }) => !external);
}

/**
 * Returns order and size of the slides. The order is that of `p:sldIdLst`, by relationship, never that of file names.
 * Sections list slides again (`p14:sldIdLst` below `p:extLst`), so only lists directly below the root are read.
 */
export function readPresentation(xml: string): { slideIds: string[]; width: number; height: number } {
  const slideIds: string[] = [];
  // The default without p:sldSz: 10 by 7.5 inches (ECMA-376 part 1, 19.2.1.39).
  let width = 9_144_000;
  let height = 6_858_000;
  let depth = 0;
  let isInSlideList = false;
  for (const event of xmlEvents(xml)) {
    if (event.type === 'text') continue;
    if (event.type === 'close') {
      depth--;
      continue;
    }
    if (depth === 1) {
      isInSlideList = event.name === 'sldIdLst';
      if (event.name === 'sldSz') {
        width = Number(xmlAttribute(event.attributes, 'cx') ?? width);
        height = Number(xmlAttribute(event.attributes, 'cy') ?? height);
      }
    } else if (depth === 2 && isInSlideList && event.name === 'sldId') {
      slideIds.push(relationshipId(event.attributes));
    }
    if (!event.empty) depth++;
  }
  return { slideIds, width, height };
}

/** Returns the value of `r:id` (`r:dm` …) under any prefix of its namespace; `id` without a prefix is another attribute. */
export function relationshipId(attributes: string, name: 'id' | 'dm' = 'id'): string {
  for (const [is, value] of xmlAttributes(attributes)) if (is.endsWith(`:${name}`)) return value;
  return '';
}
