import { nearestNames } from '../library/nearest-names.ts';

type Kind = 'industry' | 'theme' | 'type';
type Names = Record<Kind, readonly string[]>;
type Labels = { industry?: string; themes?: string[]; type?: string };

export type Unknown = { kind: Kind; name: string };

/**
 * Returns the labels that the library has, and separately the unknown ones. A misspelt word must not become an industry
 * of the site: the label is proposed from the text instead, and the operator is warned.
 */
export function keepKnownLabels<T extends Labels>(labels: T, names: Names): { labels: T; unknown: Unknown[] } {
  const { industry = '', themes = [], type = '' } = labels;
  const unknown: Unknown[] = [
    ...(industry && !names.industry.includes(industry) ? [{ kind: 'industry' as const, name: industry }] : []),
    ...themes.filter((name) => !names.theme.includes(name)).map((name) => ({ kind: 'theme' as const, name })),
    ...(type && !names.type.includes(type) ? [{ kind: 'type' as const, name: type }] : []),
  ];
  if (unknown.length === 0) return { labels, unknown };
  const known = { ...labels };
  if (unknown.some(({ kind }) => kind === 'industry')) delete known.industry;
  if (unknown.some(({ kind }) => kind === 'type')) delete known.type;
  if (labels.themes) known.themes = themes.filter((name) => names.theme.includes(name));
  return { labels: known, unknown };
}

/** Returns a warning such as `industry "餐饮业" is not known (餐饮?)`. */
export function wordsOfUnknown({ kind, name }: Unknown, names: Names): string {
  const near = nearestNames(name, names[kind]);
  return `${kind} "${name}" is not known${near.length > 0 ? ` (${near.join(', ')}?)` : ''}`;
}
