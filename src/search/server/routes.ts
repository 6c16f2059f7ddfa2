import type { Routes } from '../../context.ts';
import { searchCharts } from '../contract-charts.ts';
import * as contract from '../contract.ts';
import * as charts from './charts/search-charts.ts';
import { searchDocuments } from './find/search-documents.ts';
import { listHotWords } from './hot/hot-words.ts';
import { suggestWords } from './suggest/suggest-words.ts';

export function searchRoutes(routes: Routes): void {
  routes.on(contract.searchDocuments, searchDocuments);
  routes.on(searchCharts, charts.searchCharts);
  routes.on(contract.suggestWords, suggestWords);
  routes.on(contract.listHotWords, listHotWords);
}
