import { useEffect, useSyncExternalStore } from 'react';
import { useSession } from '../../../accounts/web/session.tsx';
import styles from './offline.module.css';

/** The same name as in service-worker/rules.ts, which is in a separate script and shares no file with the pages. */
const PAGES = 'ceku-pages-';

/**
 * Registers the service worker (§2) after everything that the page itself needs; not in development. After a login or
 * logout the cached pages are deleted (C-98), because they show a visitor's view.
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

/** A notice while the browser is offline; renders nothing on the server and while online. */
export function OfflineNotice() {
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  if (isOnline) return null;
  return (
    <div className={styles['notice']} role="status">
      当前没有网络连接，恢复后可继续浏览
    </div>
  );
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}
