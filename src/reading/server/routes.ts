import type { Routes } from '../../platform/http/api.ts';

export function readingRoutes(_routes: Routes): void {}
