import { Outlet, useLocation } from 'react-router';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import styles from './layout.module.css';
import { ToolBar } from './tool-bar.tsx';

/** Sticky header, page, footer; the detail page goes without a footer (C-16). */
export default function Layout() {
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
        <Outlet />
      </main>
      {!pathname.startsWith('/detail') && <Footer />}
      <ToolBar />
    </div>
  );
}
