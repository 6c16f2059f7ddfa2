import { useEffect, useState } from 'react';
import { useSession } from '../../accounts/web/session.tsx';

/**
 * Returns which documents of a list the reader owns. `loaded` is the loader's answer for `fids`. A document opens and
 * is bought in another tab, so the hook asks again when the reader returns to the list.
 */
export function useOwned(fids: readonly number[], loaded: readonly number[]): ReadonlySet<number> {
  const { member } = useSession();
  const [fresh, setFresh] = useState<{ after: readonly number[]; owned: readonly number[] } | null>(null);
  const isMember = member !== null;
  const key = fids.join();
  useEffect(() => {
    if (!isMember || key === '') return;
    const ask = () => {
      if (document.visibilityState !== 'visible') return;
      void import('./ask-owned.ts')
        .then(({ askOwned }) => askOwned(key.split(',').map(Number)))
        .then((owned) => owned && setFresh({ after: loaded, owned }))
        // The script could not be loaded: the loader's answer still holds.
        .catch(() => {});
    };
    document.addEventListener('visibilitychange', ask);
    return () => document.removeEventListener('visibilitychange', ask);
  }, [isMember, key, loaded]);
  if (!isMember) return NONE;
  // A newer loader answer takes precedence over a call made after the previous one.
  return new Set(fresh?.after === loaded ? fresh.owned : loaded);
}

const NONE: ReadonlySet<number> = new Set();
