import { useEffect, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { CODE } from '../../protocol/codes.ts';
import { isWaysOut, type WaysOut } from '../contract-ways-out.ts';

/**
 * Returns the ways out that the server tells when it refuses `ask`; null before, and while `ask` is null. The server is asked again
 * when the member returns to the tab: they may have bought a membership or coins in another tab, and once `ask` succeeds the data
 * of the page is reloaded.
 * @param ask calls the endpoint; a new function starts over, so it is memoised
 */
export function useWaysOut(ask: (() => Promise<{ code: number; data: unknown }>) | null): WaysOut | null {
  const { revalidate } = useRevalidator();
  const reload = useRef(revalidate);
  reload.current = revalidate;
  const [ways, setWays] = useState<WaysOut | null>(null);
  useEffect(() => {
    if (!ask) return;
    let isOver = false;
    const look = async () => {
      const reply = await ask().catch(() => null);
      if (isOver || !reply) return;
      if (reply.code === CODE.ok) return void reload.current();
      if (isWaysOut(reply.data)) setWays(reply.data);
    };
    const onReturn = () => {
      if (document.visibilityState === 'visible') void look();
    };
    void look();
    document.addEventListener('visibilitychange', onReturn);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', onReturn);
    };
  }, [ask]);
  return ask && ways;
}
