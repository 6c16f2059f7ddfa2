import type { Routes } from '../../platform/http/api.ts';
import { listPrices as listEndpoint } from '../contract.ts';
import { listPrices } from './list-prices.ts';

export function paymentRoutes(routes: Routes): void {
  routes.on(listEndpoint, listPrices);
}
