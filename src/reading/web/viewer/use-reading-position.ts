import { useEffect, useState } from 'react';
import { call } from '../../../accounts/web/call.ts';
import { useSession } from '../../../accounts/web/session.tsx';
import { getFileRecord } from '../../../shelf/contract-history.ts';
import type { DocumentDetail } from '../../contract.ts';

/** A page is recorded after it was looked at this long: turning through a deck writes nothing. */
const LOOKED_AT_MS = 1_500;

/**
 * Records the page at which a member reads, and returns the page that was recorded last, in this visit or an earlier one
 * (C-85); 0 for none. `page` is null while nothing is read.
 */
export function useReadingPosition({ fid, last_page: before }: DocumentDetail, page: number | null): number {
  const userId = useSession().member?.id ?? 0;
  const [recorded, setRecorded] = useState(0);

  useEffect(() => setRecorded(0), [fid, userId]);
  useEffect(() => {
    if (userId === 0 || page === null || page === recorded) return;
    const timer = setTimeout(() => {
      setRecorded(page);
      // Losing one position is no reason to disturb the reader.
      call(getFileRecord, { fid, page }).catch(() => undefined);
    }, LOOKED_AT_MS);
    return () => clearTimeout(timer);
  }, [fid, userId, page, recorded]);

  return recorded || before;
}
