import { useEffect, useState } from 'react';
import { useLocation, useNavigation, type Location } from 'react-router';

const MAX_AWAY_MS = 150;

/** Returns true while another view of this page (a page, a tab, a filter) has been loading for more than a moment. */
export function useIsListPending(): boolean {
  return usePendingView() !== null;
}

/** The address of the view that is loading; null for none. */
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

/**
 * Returns the location of the page. When a navigation changes the hash alone, the new location is returned at once: React Router itself
 * changes it after the data of the page have been loaded again.
 */
export function useHashAtOnce(): Location {
  const here = useLocation();
  const { location: asked } = useNavigation();
  return asked?.pathname === here.pathname && asked.search === here.search ? asked : here;
}
