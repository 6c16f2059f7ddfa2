import type { Routes } from '../../context.ts';
import * as contract from '../contract.ts';
import { listPrices } from './prices.ts';

export function priceRoutes(routes: Routes): void {
  routes.on(contract.listPrices, listPrices);
}
