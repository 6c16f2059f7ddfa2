import type { ReactNode } from 'react';
import { isRouteErrorResponse, Outlet, useLocation } from 'react-router';
import type { Route } from './+types/layout.ts';
import { ErrorView } from '../errors/error-view.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import styles from './layout.module.css';
import { ToolBar } from './tool-bar.tsx';

export default function Layout() {
  return (
    <Frame>
      <Outlet />
    </Frame>
  );
}

/** Keeps header and footer when a page could not be loaded (C-100); what does not exist has a page of its own (C-16). */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (isRouteErrorResponse(error) && error.status === 404) return <ErrorView error={error} />;
  return (
    <Frame>
      <ErrorView error={error} isInLayout />
    </Frame>
  );
}

/** Sticky header, page, footer; the detail page goes without a footer (C-16). */
function Frame({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <div className={styles['page']}>
      <a className={styles['skip']} href="#content">
        跳到正文
      </a>
      {pathname === '/report' && (
        <a className={styles['skip']} href="#results">
          跳到结果
        </a>
      )}
      <Header />
      <noscript>
        <p className={styles['script']}>浏览器未启用 JavaScript：可以搜索和浏览，登录与下载需要启用后使用。</p>
      </noscript>
      <main id="content" className={styles['main']} tabIndex={-1}>
        {children}
      </main>
      {!pathname.startsWith('/detail') && <Footer />}
      <ToolBar />
    </div>
  );
}
