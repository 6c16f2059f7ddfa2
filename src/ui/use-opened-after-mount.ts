import { useEffect, useState } from 'react';

/**
 * For a dialog that is loaded when it is first wanted: mounted closed, then opened. A Mantine dialog that is open at
 * its very first render does not know which element to give the focus back to.
 */
export function useOpenedAfterMount(isOpen: boolean): boolean {
  const [isMounted, setIsMounted] = useState(false);
  useEffect(() => setIsMounted(true), []);
  return isMounted && isOpen;
}
