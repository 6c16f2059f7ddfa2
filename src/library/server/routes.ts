import type { Routes } from '../../platform/http/api.ts';

export function libraryRoutes(_routes: Routes): void {}
