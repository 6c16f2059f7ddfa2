import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take longest on a fresh checkout, by name, the longest first; the last of a run has nothing beside it. Where
 * vitest knows the times of an earlier run, it goes by those.
 */
const SLOW = [
  'corpus.test.ts',
  'prepare-stored-file.test.ts',
  'converter-pool.test.ts',
  'extract-charts.test.ts',
  'complete-pack.test.ts',
  'recall-engine.test.ts',
  'disk-space.test.ts',
  'open-search-engine.test.ts',
  'run-steps.test.ts',
  'jobs.test.ts',
  'prepare-again.test.ts',
  'serve-media.test.ts',
  'hostile.test.ts',
  'relevance.test.ts',
];

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isKnown = files.every((file) => this.ctx.cache.getTestSpecificationResult(file));
    const rankOf = ({ moduleId }: TestSpecification) => {
      if (isKnown) return 0;
      const rank = SLOW.indexOf(path.basename(moduleId));
      return rank === -1 ? SLOW.length : rank;
    };
    return sorted.toSorted((one, two) => turnOf(one) - turnOf(two) || rankOf(one) - rankOf(two));
  }
}

/** Projects of a later group run later, and within a group the files of ingest: vitest.config.ts says why. */
const turnOf = ({ project }: TestSpecification) =>
  project.config.sequence.groupOrder * 2 + (project.name === 'app-ingest' ? 1 : 0);
