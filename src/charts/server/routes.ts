import type { Routes } from '../../context.ts';
import * as contract from '../contract.ts';
import { getChartNumbers, openOriginalChart } from './open-chart.ts';
import { selectChartTypes } from './store.ts';

export function chartsRoutes(routes: Routes): void {
  // All chart types in the order of the filter, without an entry for "all" (C-95).
  routes.on(contract.listChartTypes, async (ctx) => ({ data: await selectChartTypes(ctx.db) }));
  routes.on(contract.getChartNumbers, getChartNumbers);
  routes.on(contract.openOriginalChart, openOriginalChart);
}
