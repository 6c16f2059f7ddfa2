import { useEffect } from 'react';
import { useSession } from '../../accounts/web/session.tsx';

/** As in service-worker/rules.ts, which is in a script of its own and shares no file with the pages. */
const PAGES = 'ceku-pages-';

/**
 * Registers the service worker (§2), after all the page itself needs; development has none. Once somebody has logged in
 * or out, the pages that were kept are thrown away (C-98): they are visitors' pages, and no longer what this reader sees.
 */
export function OfflineSupport() {
  const { member } = useSession();
  const isMember = member !== null;
  useEffect(() => {
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
    const register = () => {
      // A browser that refuses (a private window, full storage) shows its own page while it has no network.
      navigator.serviceWorker.register('/sw.js', { scope: '/' }).catch(() => {});
    };
    if (document.readyState === 'complete') return register();
    window.addEventListener('load', register, { once: true });
    return () => window.removeEventListener('load', register);
  }, []);
  useEffect(() => {
    if (!isMember) return;
    void forgetPages();
    return () => void forgetPages();
  }, [isMember]);
  return null;
}

async function forgetPages(): Promise<void> {
  if (!('caches' in window)) return;
  const names = await caches.keys().catch(() => []);
  await Promise.all(
    names.filter((name) => name.startsWith(PAGES)).map((name) => caches.delete(name).catch(() => false)),
  );
}
