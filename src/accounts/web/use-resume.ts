import { useEffect, useRef } from 'react';
import { takeResume } from './after-login.ts';
import { useSession } from './session.tsx';

/**
 * Goes on with what a login interrupted: give `key` to openLogin as `resume`, and `work` runs once on the page as it
 * comes back logged in. Keys name the action and its object, e.g. `download:9`.
 */
export function useResume(key: string, work: () => void): void {
  const { member } = useSession();
  const latest = useRef(work);
  latest.current = work;
  const isMember = member !== null;
  useEffect(() => {
    if (isMember && takeResume(key)) latest.current();
  }, [isMember, key]);
}
