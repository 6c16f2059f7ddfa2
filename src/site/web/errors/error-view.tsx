import { useEffect, useState, type ReactNode } from 'react';
import { isRouteErrorResponse } from 'react-router';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { reloadPage } from '../../../ui/feedback/reload-page.ts';
import { reloadOnceFor, guardReloads, isChunkFailure } from '../../../ui/feedback/chunk-reload.ts';
import { useSite } from '../../../root-data.ts';
import styles from './error-view.module.css';
import { Mark } from '../../../ui/pictures/mark.tsx';

/**
 * The error page: 404 with its own text, everything else 页面出错了 with 刷新 and 返回首页 (C-29, C-99). A page whose script is
 * missing after a new release reloads by itself, at most once per 60 s (C-97). Plain links, so that the page works when
 * nothing else does. `isInLayout` leaves the header and the main landmark to the layout that the page stands in.
 */
export function ErrorView({ error, isInLayout = false }: { error: unknown; isInLayout?: boolean }) {
  useEffect(() => reloadOnceFor(error), [error]);
  useReloadOnline();
  const site = useSite();
  const Main = isInLayout ? 'div' : 'main';
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  return (
    <div className={styles['page']}>
      {!isInLayout && (
        <header className={styles['header']}>
          <a href="/index" className={styles['brand']}>
            <Mark size={32} />
            {site?.name ?? '策库'}
          </a>
        </header>
      )}
      <Main className={styles['main']}>
        {isMissing ? (
          <Empty heading="h1" drawing="search" title="抱歉，您访问的页面不存在" text="This page could not be found">
            <a className={styles['primary']} href="/index">
              返回首页
            </a>
          </Empty>
        ) : (
          <Empty heading="h1" drawing="broken" title={isOffline() ? '没有网络' : '页面出错了'} text={messageOf(error)}>
            <a className={styles['primary']} href="">
              刷新
            </a>
            <a className={styles['quiet']} href="/index">
              返回首页
            </a>
          </Empty>
        )}
        {/* The server writes the id of the request into it (src/serve-pages.ts), which React leaves alone. */}
        {!isMissing && (
          <p
            className={styles['request']}
            data-request-id=""
            suppressHydrationWarning
            dangerouslySetInnerHTML={{ __html: '' }}
          />
        )}
      </Main>
    </div>
  );
}

/** Loads the page again when the network comes back that the page could not be loaded without. */
function useReloadOnline(): void {
  useEffect(() => {
    if (window.navigator.onLine) return;
    window.addEventListener('online', reloadPage);
    return () => window.removeEventListener('online', reloadPage);
  }, []);
}

/** Whether a page can say in its own place that its data could not be loaded: nothing of the page itself is missing. */
export const isInlineFailure = (error: unknown): boolean =>
  !isChunkFailure(error) && !(isRouteErrorResponse(error) && error.status < 500);

const isOffline = () => typeof window !== 'undefined' && !window.navigator.onLine;

/** Errors of this API have Chinese messages; other messages are not shown to visitors. */
export function messageOf(error: unknown): string {
  if (isOffline()) return '当前没有网络连接，恢复后会自动重新打开';
  const message = error instanceof Error ? error.message : '';
  return /[\u4e00-\u9fff]/.test(message) ? message : '服务器开小差了，请稍后再试';
}

/** Shows the error page with 刷新 when the script of a page is still missing after the one allowed reload (C-97). */
export function ReloadGuard({ children }: { children: ReactNode }) {
  const [isRefused, setIsRefused] = useState(false);
  useEffect(() => guardReloads(() => setIsRefused(true)), []);
  return isRefused ? <ErrorView error={new Error('页面内容加载失败，请检查网络后刷新')} /> : children;
}
