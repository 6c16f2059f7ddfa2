import type { Routes } from '../../context.ts';
import { listPrices as listEndpoint } from '../contract.ts';
import { listPrices } from './list-prices.ts';

export function paymentRoutes(routes: Routes): void {
  routes.on(listEndpoint, listPrices);
}
