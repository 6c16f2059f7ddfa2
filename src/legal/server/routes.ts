import type { Routes } from '../../context.ts';
import * as contract from '../contract.ts';
import { reportInfringement } from './infringements.ts';
import { requestPrivacy } from './privacy-requests.ts';

export function legalRoutes(routes: Routes): void {
  routes.on(contract.reportInfringement, reportInfringement);
  routes.on(contract.requestPrivacy, requestPrivacy);
}
