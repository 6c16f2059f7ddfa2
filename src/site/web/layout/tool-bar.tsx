import { useEffect, useState, type ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { useSession } from '../../../accounts/web/session.tsx';
import type { Member } from '../../../membership/contract.ts';
// Does not import the membership contract, whose schemas would then be loaded with every page.
import { LIFETIME_DAYS } from '../../../membership/rules.ts';
import { useRootData } from '../../../root-data.ts';
import { LazyBoundary, lazyWithRetry } from '../../../ui/feedback/lazy-boundary.tsx';
import { ArrowUpIcon, CrownIcon, GroupIcon, HomeIcon, PhoneIcon } from '../../../ui/pictures/icons.tsx';
import styles from './tool-bar.module.css';

/** Loaded when the pointer comes near. */
const GroupsPanel = lazyWithRetry(() => import('./scan-panels.tsx').then((module) => module.GroupsPanel));
const MiniProgramPanel = lazyWithRetry(() => import('./scan-panels.tsx').then((module) => module.MiniProgramPanel));

const SHOWN_AFTER_PX = 600;
/** Minimum scroll distance that counts as a change of direction; a resting finger moves less. */
const TURN_PX = 8;
const END_PX = 120;

/**
 * The bar at the right edge; on phones only the button back to the top, once the page is scrolled and the reader
 * scrolls up.
 */
export function ToolBar() {
  const { pathname } = useLocation();
  const root = useRootData();
  const { isScrolled, isReadingOn } = useScroll();
  const { member } = useSession();
  const vip = membershipLink(member);
  const [, documentId] = /^\/detail\/(\d{1,15})$/.exec(pathname) ?? [];
  return (
    <aside className={styles['bar']} data-screen aria-label="快捷工具" data-reading-on={isReadingOn || undefined}>
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
      <Groups />
      {root?.loginMethods?.mini === 1 && <MiniProgram key={documentId} documentId={documentId} />}
      {pathname !== vip.to && (
        <Link to={vip.to} className={`${styles['item']} ${styles['gold']} ${styles['wide']}`}>
          <CrownIcon />
          <span>{vip.name}</span>
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

/** Leads to the groups; the pointer shows a QR code that opens them on a phone (§2). */
const Groups = () => (
  <WithPanel panel={<GroupsPanel className={styles['qr']} />}>
    <Link to="/user/group" className={styles['item']}>
      <GroupIcon />
      <span>社群</span>
    </Link>
  </WithPanel>
);

/** The pointer and the focus show a code for WeChat (§2). */
const MiniProgram = ({ documentId }: { documentId: string | undefined }) => (
  <WithPanel panel={<MiniProgramPanel className={styles['qr']} documentId={documentId} />}>
    <button type="button" className={styles['item']}>
      <PhoneIcon />
      <span>小程序</span>
    </button>
  </WithPanel>
);

/** Shows a panel beside an entry of the bar under the pointer and the focus. */
function WithPanel({ panel, children }: { panel: ReactNode; children: ReactNode }) {
  const [isAsked, setIsAsked] = useState(false);
  const ask = () => setIsAsked(true);
  return (
    <div className={`${styles['holder']} ${styles['wide']}`} onPointerEnter={ask} onFocus={ask}>
      {children}
      {isAsked && (
        <div className={styles['scan']}>
          <LazyBoundary onOpenChange={setIsAsked} fallback={<span className={styles['qr']} />}>
            {panel}
          </LazyBoundary>
        </div>
      )}
    </div>
  );
}

/** Returns the offer of the bar: to join; for members whose membership is not for life to renew, or to have the higher tier. */
function membershipLink(member: Member | null): { to: string; name: string } {
  if (!member || member.vip_last_day === 0) return { to: '/aboutVip', name: '开通会员' };
  const isForLife = member.vip_last_day > LIFETIME_DAYS;
  if (isForLife) return { to: '/user/index', name: '会员中心' };
  return { to: '/aboutVip', name: member.is_vip === 1 ? '升级会员' : '续费会员' };
}

/** `isReadingOn`: the reader scrolls down and is not at the end, so that the bar would cover the text. */
function useScroll(): { isScrolled: boolean; isReadingOn: boolean } {
  const [state, setState] = useState({ isScrolled: false, isReadingOn: false });
  useEffect(() => {
    let turnedAt = window.scrollY;
    // On a reload in the middle of a page the reader is assumed to scroll down.
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
