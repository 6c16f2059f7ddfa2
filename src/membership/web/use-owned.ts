import { useEffect, useState } from 'react';
import { useSession } from '../../accounts/web/session.tsx';

/**
 * The documents of a list that the reader owns. `loaded` is the loader's answer for `fids`. A document opens in a tab of
 * its own and is bought there: whoever comes back to the list is asked for again.
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
        // The script could not be loaded: what the loader said still holds.
        .catch(() => {});
    };
    document.addEventListener('visibilitychange', ask);
    return () => document.removeEventListener('visibilitychange', ask);
  }, [isMember, key, loaded]);
  if (!isMember) return NONE;
  // A newer answer of the loader counts more than what was asked after the one before.
  return new Set(fresh?.after === loaded ? fresh.owned : loaded);
}

const NONE: ReadonlySet<number> = new Set();
