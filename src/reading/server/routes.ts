import type { Routes } from '../../platform/http/api.ts';
import * as contract from '../contract.ts';
import { getDetail } from './get-detail.ts';

export function readingRoutes(routes: Routes): void {
  routes.on(contract.getDetail, (ctx, input) => getDetail(ctx, input.fid));
}
