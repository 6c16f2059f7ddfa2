import type { IndexedDocument } from './document.ts';
import { FIELD } from './layout.ts';

/** The terms of a document, each once, with the fields it stands in. */
export function termsOf(document: IndexedDocument): Map<string, number> {
  const terms = new Map<string, number>();
  const put = (lexemes: string, field: number) => {
    if (!lexemes) return;
    for (const lexeme of lexemes.split(' ')) terms.set(lexeme, (terms.get(lexeme) ?? 0) | field);
  };
  put(document.name, FIELD.name);
  put(document.keyword, FIELD.keyword);
  put(document.labels, FIELD.label);
  return terms;
}
