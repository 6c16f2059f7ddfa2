import type { Routes } from '../../platform/http/api.ts';

export function paymentRoutes(_routes: Routes): void {}
