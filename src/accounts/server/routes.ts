import type { Routes } from '../../platform/http/api.ts';

export function accountsRoutes(_routes: Routes): void {}
