import { nearestNames } from '../library/rules.ts';
import { CLOSED_KINDS, type ClosedKind } from '../library/taxonomy.ts';

type Names = Record<ClosedKind, readonly string[]>;
type Labels = Partial<Record<Exclude<ClosedKind, 'theme'>, string>> & { themes?: string[] };

export type Unknown = { kind: ClosedKind; name: string };

/**
 * Returns the labels that the library has, and separately the unknown ones. A misspelt word must not become an industry
 * of the site: the label is proposed from the text instead, and the operator is warned.
 */
export function keepKnownLabels<T extends Labels>(labels: T, names: Names): { labels: T; unknown: Unknown[] } {
  const known = { ...labels };
  const unknown = CLOSED_KINDS.flatMap((kind) => {
    const given = kind === 'theme' ? (labels.themes ?? []) : [labels[kind] ?? ''];
    const missing = given.filter((name) => name !== '' && !names[kind].includes(name));
    if (missing.length === 0) return [];
    if (kind === 'theme') known.themes = given.filter((name) => names.theme.includes(name));
    else delete known[kind];
    return missing.map((name) => ({ kind, name }));
  });
  return { labels: known, unknown };
}

/** Returns a warning such as `industry "餐饮业" is not known (餐饮?)`. */
export function wordsOfUnknown({ kind, name }: Unknown, names: Names): string {
  const near = nearestNames(name, names[kind]);
  return `${kind} "${name}" is not known${near.length > 0 ? ` (${near.join(', ')}?)` : ''}`;
}
