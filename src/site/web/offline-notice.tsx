import { useSyncExternalStore } from 'react';
import styles from './offline-notice.module.css';

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
