import type { Engine } from './engine.ts';

/** Each is loaded by the process that runs it, and by no other. The first is ours, the second counts what is true. */
export const ENGINES: Record<string, () => Promise<Engine>> = {
  ours: async () => (await import('./ours.ts')).ours,
  postgres: async () => (await import('./postgres.ts')).postgres,
  groonga: async () => (await import('./groonga.ts')).groonga,
  sqlite: async () => (await import('./sqlite.ts')).sqlite,
  minisearch: async () => (await import('./minisearch.ts')).minisearch,
  flexsearch: async () => (await import('./flexsearch.ts')).flexsearch,
  orama: async () => (await import('./orama.ts')).oramaEngine,
};
