import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { useSession } from '../../accounts/web/session.tsx';
import { ArrowUpIcon, CrownIcon, HomeIcon } from '../../ui/icons.tsx';
import styles from './tool-bar.module.css';

const SHOWN_AFTER_PX = 600;
/** Less is a finger that rests, not a change of mind. */
const TURN_PX = 8;
const END_PX = 120;

/** The bar at the right edge; on phones only the way back to the top, once there is a way and somebody looks for it. */
export function ToolBar() {
  const { pathname } = useLocation();
  const { member } = useSession();
  const { isScrolled, isReadingOn } = useScroll();
  return (
    <aside className={styles['bar']} aria-label="快捷工具" data-reading-on={isReadingOn || undefined}>
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
          <span>{(member?.vip_last_day ?? 0) > 0 ? '续费' : '开通会员'}</span>
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

/** `isReadingOn`: going down, and not at the end yet. What lies over the content is in the way then. */
function useScroll(): { isScrolled: boolean; isReadingOn: boolean } {
  const [state, setState] = useState({ isScrolled: false, isReadingOn: false });
  useEffect(() => {
    let turnedAt = window.scrollY;
    // Whoever came back to the middle of a page goes on reading.
    let isDown = true;
    const look = () => {
      const { scrollY, innerHeight } = window;
      if (Math.abs(scrollY - turnedAt) >= TURN_PX) {
        isDown = scrollY > turnedAt;
        turnedAt = scrollY;
      }
      const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - END_PX;
      const next = { isScrolled: scrollY > SHOWN_AFTER_PX, isReadingOn: isDown && !isAtEnd };
      setState((now) => (now.isScrolled === next.isScrolled && now.isReadingOn === next.isReadingOn ? now : next));
    };
    look();
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  return state;
}
