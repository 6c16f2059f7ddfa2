import { useEffect, useRef, useState } from 'react';
import { call } from '../../../accounts/web/call.ts';
import { useSession } from '../../../accounts/web/session.tsx';
import { CODE } from '../../../protocol/codes.ts';
import { getFileRecord } from '../../../shelf/contract.ts';

/** A page is recorded after it was looked at this long: turning through a deck writes nothing. */
const LOOKED_AT_MS = 1_500;

/**
 * Records the page at which a member reads, and returns the page of an earlier visit (C-85); 0 for none, for page 1, and
 * once the reader has moved on. `page` is null while nothing is read.
 */
export function useReadingPosition(fid: number, page: number | null): number {
  const { member } = useSession();
  const userId = member?.id ?? 0;
  const [lastPage, setLastPage] = useState(0);
  const recorded = useRef(0);

  useEffect(() => {
    setLastPage(0);
    recorded.current = 0;
    if (userId === 0) return;
    let isOver = false;
    call(getFileRecord, { fid }).then(
      (reply) => {
        if (!isOver && reply.code === CODE.ok && reply.data && recorded.current === 0)
          setLastPage(reply.data.last_page);
      },
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, [fid, userId]);

  useEffect(() => {
    if (userId === 0 || page === null || page === recorded.current) return;
    const timer = setTimeout(() => {
      recorded.current = page;
      setLastPage(0);
      // Losing one position is no reason to disturb the reader.
      call(getFileRecord, { fid, page }).catch(() => undefined);
    }, LOOKED_AT_MS);
    return () => clearTimeout(timer);
  }, [fid, userId, page]);

  return lastPage > 1 ? lastPage : 0;
}
