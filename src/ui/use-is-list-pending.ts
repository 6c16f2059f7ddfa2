import { useEffect, useState } from 'react';
import { useLocation, useNavigation, type Location } from 'react-router';

const MAX_AWAY_MS = 150;

/** Whether another view of this very page (a page, a tab, a filter) is on its way for longer than a blink. */
export function useIsListPending(): boolean {
  return usePendingView() !== null;
}

/** The address of that view; null while none is on its way. */
export function usePendingView(): Location | null {
  const { pathname } = useLocation();
  const navigation = useNavigation();
  const isLoading = navigation.state === 'loading' && navigation.location.pathname === pathname;
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    if (!isLoading) return setIsLong(false);
    const timer = setTimeout(() => setIsLong(true), MAX_AWAY_MS);
    return () => clearTimeout(timer);
  }, [isLoading]);
  return isLoading && isLong ? navigation.location : null;
}
