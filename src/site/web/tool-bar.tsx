import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { ArrowUpIcon, CrownIcon, HomeIcon } from '../../ui/icons.tsx';
import styles from './tool-bar.module.css';

const SHOWN_AFTER_PX = 600;

/** The bar at the right edge; on phones only the way back to the top, once there is a way. */
export function ToolBar() {
  const { pathname } = useLocation();
  const isScrolled = useIsScrolled();
  return (
    <aside className={styles['bar']} aria-label="快捷工具">
      {isScrolled && (
        <button
          type="button"
          className={styles['item']}
          onClick={() => window.scrollTo({ top: 0, behavior: 'smooth' })}
        >
          <ArrowUpIcon />
          <span>回到顶部</span>
        </button>
      )}
      {pathname !== '/aboutVip' && (
        <Link to="/aboutVip" className={`${styles['item']} ${styles['gold']} ${styles['wide']}`}>
          <CrownIcon />
          <span>开通会员</span>
        </Link>
      )}
      {pathname !== '/index' && (
        <Link to="/index" className={`${styles['item']} ${styles['wide']}`}>
          <HomeIcon />
          <span>返回首页</span>
        </Link>
      )}
    </aside>
  );
}

function useIsScrolled(): boolean {
  const [isScrolled, setIsScrolled] = useState(false);
  useEffect(() => {
    const look = () => setIsScrolled(window.scrollY > SHOWN_AFTER_PX);
    look();
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  return isScrolled;
}
