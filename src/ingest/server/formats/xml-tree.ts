import { ingestLimits as limits } from '../../rules.ts';
import { xmlAttribute, xmlEvents } from './xml-events.ts';

/** An element. `name` has no namespace prefix; `text` is the text directly inside the element. */
export type XmlNode = { name: string; attributes: string; children: XmlNode[]; text: string };

/** Limit of elements in a part: 30 MB of tags from an untrusted file would need a gigabyte of objects. */
const MAX_NODES = 400_000;

/** Returns the tree of a small part that has passed `check-xml.ts`; null when it has no root or exceeds the limits. */
export function xmlTree(xml: string): XmlNode | null {
  const root: XmlNode = { name: '', attributes: '', children: [], text: '' };
  const open = [root];
  let nodes = 0;
  for (const event of xmlEvents(xml)) {
    const parent = open.at(-1) ?? root;
    if (event.type === 'text') parent.text += event.text;
    else if (event.type === 'close') {
      if (open.length > 1) open.pop();
    } else {
      if (++nodes > MAX_NODES || open.length > limits.xmlDepth) return null;
      const node: XmlNode = { name: event.name, attributes: event.attributes, children: [], text: '' };
      parent.children.push(node);
      if (!event.empty) open.push(node);
    }
  }
  return root.children.find((node) => !node.name.startsWith('!')) ?? null;
}

export function child(node: XmlNode | undefined, ...path: string[]): XmlNode | undefined {
  return path.reduce<XmlNode | undefined>((at, name) => at?.children.find((each) => each.name === name), node);
}

export function childrenOf(node: XmlNode | undefined, name: string): XmlNode[] {
  return node?.children.filter((each) => each.name === name) ?? [];
}

/** Returns the `val` attribute of a child element, where DrawingML keeps most settings. */
export function valueOf(node: XmlNode | undefined, name: string): string | null {
  const found = child(node, name);
  return found ? xmlAttribute(found.attributes, 'val') : null;
}

/** Returns the text of all descendants of this name, in order. */
export function textsBelow(node: XmlNode | undefined, name: string): string[] {
  if (!node) return [];
  return node.children.flatMap((each) => (each.name === name ? [each.text] : textsBelow(each, name)));
}
