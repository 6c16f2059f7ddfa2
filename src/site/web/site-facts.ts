import { useRouteLoaderData } from 'react-router';
import type { loader } from '../../root.tsx';

/** Returns the name, company and contact that the operator configured; undefined only where the root loader itself failed. */
export function useSite() {
  return useRouteLoaderData<typeof loader>('root')?.site;
}
