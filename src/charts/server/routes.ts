import type { Routes } from '../../context.ts';
import * as contract from '../contract.ts';
import { listChartTypes } from './list-charts.ts';
import { getChartNumbers, openOriginalChart } from './open-chart.ts';

export function chartsRoutes(routes: Routes): void {
  routes.on(contract.listChartTypes, async (ctx) => ({ data: await listChartTypes(ctx) }));
  routes.on(contract.getChartNumbers, getChartNumbers);
  routes.on(contract.openOriginalChart, openOriginalChart);
}
