import type { Routes } from '../../context.ts';
import * as contract from '../contract.ts';
import { listChartTypes } from './list-chart-types.ts';

export function chartsRoutes(routes: Routes): void {
  routes.on(contract.listChartTypes, async (ctx) => ({ data: await listChartTypes(ctx) }));
}
