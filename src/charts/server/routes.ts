import type { Routes } from '../../platform/http/api.ts';
import * as contract from '../contract.ts';
import { listChartTypes } from './list-chart-types.ts';

export function chartsRoutes(routes: Routes): void {
  routes.on(contract.listChartTypes, async (ctx) => ({ data: await listChartTypes(ctx) }));
}
