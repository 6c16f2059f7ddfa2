import type { SourceDocument } from '../src/search/engine/format/document.ts';

/** A document for the search engine: a free PPTX of one page, without labels, unless `facts` say otherwise. */
export const sourceDocument = (facts: Partial<SourceDocument> & { id: number }): SourceDocument => ({
  fileId: facts.id,
  name: '样例方案',
  keyword: '',
  organization: '',
  industry: '',
  industryId: 0,
  themes: [],
  texts: [],
  themeIds: [],
  fileType: 'pptx',
  pageCount: 1,
  isFree: true,
  budgetYuan: 0,
  keyPages: [],
  people: 0,
  days: 0,
  popularity: 0,
  createdAt: 0,
  recommendScore: 0,
  ...facts,
});
