import type { Engine } from './engine.ts';

/**
 * Each engine is loaded only by the process that runs it. The first is this project's; the second gives the true
 * totals.
 */
export const ENGINES: Record<string, () => Promise<Engine>> = {
  ours: async () => (await import('./ours.ts')).ours,
  postgres: async () => (await import('./postgres.ts')).postgres,
  groonga: async () => (await import('./groonga.ts')).groonga,
  lucene: async () => (await import('./lucene.ts')).lucene,
  sqlite: async () => (await import('./sqlite.ts')).sqlite,
  minisearch: async () => (await import('./minisearch.ts')).minisearch,
  flexsearch: async () => (await import('./flexsearch.ts')).flexsearch,
  orama: async () => (await import('./orama.ts')).oramaEngine,
};
