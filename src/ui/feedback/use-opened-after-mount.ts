import { useEffect, useState } from 'react';

/**
 * For a dialog that is loaded on demand: mounts the dialog closed and opens it afterwards. A Mantine dialog that is
 * open at its first render does not know which element to return the focus to.
 */
export function useOpenedAfterMount(isOpen: boolean): boolean {
  const [isMounted, setIsMounted] = useState(false);
  useEffect(() => setIsMounted(true), []);
  return isMounted && isOpen;
}
