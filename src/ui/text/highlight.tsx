import { Fragment } from 'react';
import { Phrases } from './line-breaks.tsx';

/**
 * Search sends names escaped with hits wrapped in `<em>` (C-10). Splits such a name into runs of plain text;
 * any other markup stays visible as text, it is never interpreted.
 */
export function parseHighlight(markup: string): { text: string; isHit: boolean }[] {
  const runs: { text: string; isHit: boolean }[] = [];
  let isHit = false;
  for (const part of markup.split(/(<\/?em>)/)) {
    if (part === '<em>') isHit = true;
    else if (part === '</em>') isHit = false;
    else if (part) runs.push({ text: unescapeText(part), isHit });
  }
  return runs;
}

/** Returns the name without markup, for titles, labels and file names. */
export function plainName(markup: string): string {
  return parseHighlight(markup)
    .map((run) => run.text)
    .join('');
}

/** Returns the texts that are marked in the markup, each once. */
export const hitsOf = (markup: string): string[] => [
  ...new Set(parseHighlight(markup).flatMap(({ text, isHit }) => (isHit ? [text] : []))),
];

export function Highlighted({ markup }: { markup: string }) {
  return parseHighlight(markup).map((run, index) =>
    run.isHit ? (
      <em key={index} data-short={[...run.text].length <= UNBROKEN_CHARACTERS || undefined}>
        {run.text}
      </em>
    ) : (
      <Fragment key={index}>
        <Phrases text={run.text} isContinued={index > 0} />
      </Fragment>
    ),
  );
}

/** Maximum length of a hit that is never broken over two lines; a longer hit could be wider than a card. */
const UNBROKEN_CHARACTERS = 6;

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#x27;': "'",
};

function unescapeText(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39|#x27);/g, (entity) => ENTITIES[entity] ?? entity);
}
