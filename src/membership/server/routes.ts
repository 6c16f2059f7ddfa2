import type { Routes } from '../../platform/http/api.ts';

export function membershipRoutes(_routes: Routes): void {}
