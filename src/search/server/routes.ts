import type { Routes } from '../../platform/http/api.ts';

export function searchRoutes(_routes: Routes): void {}
