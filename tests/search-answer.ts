import type { Answer } from '../src/protocol/endpoint.ts';
import { searchDocuments } from '../src/search/contract.ts';

type Facts = Partial<Answer<typeof searchDocuments>>;

/** Returns an answer of the search with `facts`, and nothing found where they say nothing. */
export const searchAnswer = (facts: Facts): Answer<typeof searchDocuments> =>
  searchDocuments.output.parse({
    item_list: [],
    themes: [],
    facets: {
      file_types: [],
      industries: [],
      years: [],
      recent: [],
      pages: [],
      free: 0,
      budgets: [],
      people: [],
      days: [],
    },
    total_count: 0,
    limited: 0,
    visible_count: 0,
    only_in_pages: 0,
    page: 1,
    page_size: 15,
    total: 0,
    ...facts,
  });
