import { describeFile, saveDescription } from '../about/describe-file.ts';
import type { Step } from './step.ts';

/**
 * Finds keywords, themes and industry of a document. Runs before `publish`, so that the document is published with its
 * labels.
 */
export const fingerprintStep: Step = {
  name: 'fingerprint',
  isOptional: true,
  async run({ ctx, file, facts }) {
    const description = await describeFile(ctx, file, async () => (await facts())?.title ?? '');
    const { themes, industry, type } = description.proposals;
    return {
      detail: {
        keywords: description.keywords,
        themes: themes.map(({ name }) => name),
        title: description.title,
        titleReason: description.titleReason,
        industry: industry?.name ?? null,
        type: type?.name ?? null,
      },
      save: (tx) => saveDescription(tx, description),
    };
  },
};
