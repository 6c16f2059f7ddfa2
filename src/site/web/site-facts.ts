import { useRouteLoaderData } from 'react-router';
import type { loader } from '../../root.tsx';

/** Name, company and contact as the operator configured them. Undefined only where the root loader itself failed. */
export function useSite() {
  return useRouteLoaderData<typeof loader>('root')?.site;
}

/** `https://host` of this site, for canonical links. */
export function useOrigin(): string {
  return useRouteLoaderData<typeof loader>('root')?.origin ?? '';
}
