import { useEffect } from 'react';
import { useSession } from './session.tsx';

/**
 * For private pages whose loader was answered 2 or 10000 while the header still shows a member: the session ended
 * meanwhile, on another device perhaps, and is cleared here as well (§4).
 */
export function useSessionCheck(isOver: boolean): void {
  const { member, expire } = useSession();
  const isContradiction = isOver && member !== null;
  useEffect(() => {
    if (isContradiction) expire();
  }, [isContradiction, expire]);
}
