import { cleanKeywords, cleanLine, dayText } from '../../../library/rules.ts';
import { cleanLabel, cleanResearcher, type LabelNames } from '../../../library/server/labels.ts';
import { SINGLE_KINDS } from '../../../library/taxonomy.ts';
import { keepKnownLabels, wordsOfUnknown } from '../../known-labels.ts';
import type { ManifestFacts } from './manifest-facts.ts';
import type { MatchedManifest } from './match-manifest.ts';
import type { DocumentWords } from '../store/batches.ts';

const SHOWN = 10;

/** The facts and remarks of a manifest for the files of a batch. */
export type BatchPlan = {
  factsOf(path: string): Partial<ManifestFacts> | null;
  /** Returns the remarks on the row of a file. */
  notesOf(path: string): string[];
  /** Warnings to print before the first file is ingested. */
  warnings: string[];
};

export function planBatch(matched: MatchedManifest, files: readonly string[], names: LabelNames): BatchPlan {
  const settle = (path: string) => keepKnownLabels(matched.factsOf(path) ?? {}, names);
  const words = new Map<string, number>();
  for (const path of files)
    for (const unknown of settle(path).unknown) {
      const said = wordsOfUnknown(unknown, names);
      words.set(said, (words.get(said) ?? 0) + 1);
    }
  const unknown = [...words].sort((a, b) => b[1] - a[1]);
  const { unnamed } = matched;
  return {
    factsOf: (path) => (matched.factsOf(path) ? settle(path).labels : null),
    notesOf: (path) => settle(path).unknown.map((each) => `${wordsOfUnknown(each, names)}, left out`),
    warnings: [
      ...(unnamed.length > 0
        ? [
            `${unnamed.length} of ${files.length} files are not in the manifest: they will be free and named after their files`,
            ...unnamed.slice(0, 3).map((path) => `  ${path}`),
          ]
        : []),
      ...unknown
        .slice(0, SHOWN)
        .map(([said, count]) => `${said}: left out of ${count} document${count === 1 ? '' : 's'}`),
      ...(unknown.length > SHOWN ? [`${unknown.length - SHOWN} more such words`] : []),
    ],
  };
}

type Pair = [field: string, wanted: string | number | undefined, found: string | number];

/** Returns the fields (`name`, `price`, …) in which an existing document differs from its row in the manifest. */
export function differencesOf(said: Partial<ManifestFacts>, is: DocumentWords): string[] {
  const pairs: Pair[] = [
    ['name', said.name && cleanLine(said.name), is.name],
    ['price', said.priceCoins, is.priceCoins],
    ...SINGLE_KINDS.map((kind): Pair => [kind, said[kind] && cleanLabel(kind, said[kind]), is[kind]]),
    ['themes', said.themes && [...new Set(said.themes)].sort().join(';'), [...is.themes].sort().join(';')],
    ['keyword', said.keyword && cleanKeywords(said.keyword), is.keyword],
    ['researcher', said.researcher && cleanResearcher(said.researcher), is.researcher],
    ['date', said.createdAt && dayText(said.createdAt), is.createdAt],
  ];
  return pairs.flatMap(([name, wanted, found]) =>
    wanted !== undefined && wanted !== '' && wanted !== found ? [name] : [],
  );
}
