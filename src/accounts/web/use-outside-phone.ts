import { useRouteLoaderData } from 'react-router';
import type { loader } from '../../root.tsx';

/** Address of the pretend phone while the pretend outside world is in use, else null. */
export function useOutsidePhone(): string | null {
  return useRouteLoaderData<typeof loader>('root')?.site.outsidePhoneUrl ?? null;
}
