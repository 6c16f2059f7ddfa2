import { lazy, Suspense, useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { MINI_HOME_QR_PATH } from '../../../accounts/addresses.ts';
import { DOCUMENT_QR_PATH } from '../../../library/addresses.ts';
import { useSession } from '../../../accounts/web/session.tsx';
import type { Member } from '../../../membership/contract.ts';
// Does not import the membership contract, whose schemas would then be loaded with every page.
import { LIFETIME_DAYS } from '../../../membership/rules.ts';
import { useRootData } from '../../../root-data.ts';
import { ArrowUpIcon, CrownIcon, GroupIcon, HomeIcon, PhoneIcon } from '../../../ui/pictures/icons.tsx';
import styles from './tool-bar.module.css';

/** Loaded when the pointer comes near. */
const QrCode = lazy(() => import('../../../ui/pictures/qr-code.tsx').then((module) => ({ default: module.QrCode })));

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
function Groups() {
  const root = useRootData();
  const [isAsked, setIsAsked] = useState(false);
  return (
    <div
      className={`${styles['holder']} ${styles['wide']}`}
      onPointerEnter={() => setIsAsked(true)}
      onFocus={() => setIsAsked(true)}
    >
      <Link to="/user/group" className={styles['item']}>
        <GroupIcon />
        <span>社群</span>
      </Link>
      {isAsked && (
        <div className={styles['scan']}>
          <Suspense fallback={<span className={styles['qr']} />}>
            <QrCode className={styles['qr']} text={`${root?.origin ?? ''}/user/group`} label="社群的二维码" />
          </Suspense>
          <p>手机扫码加入社群</p>
        </div>
      )}
    </div>
  );
}

/** The pointer and the focus show the code of the mini program, on the page of a document the code that opens the document on a phone (§2, C-94). */
function MiniProgram({ documentId }: { documentId: string | undefined }) {
  const [isAsked, setIsAsked] = useState(false);
  const [isFailed, setIsFailed] = useState(false);
  return (
    <div
      className={`${styles['holder']} ${styles['wide']}`}
      onPointerEnter={() => setIsAsked(true)}
      onFocus={() => setIsAsked(true)}
    >
      <button type="button" className={styles['item']}>
        <PhoneIcon />
        <span>小程序</span>
      </button>
      {isAsked && (
        <div className={styles['scan']}>
          {isFailed ? (
            <p>二维码暂时无法显示</p>
          ) : (
            <>
              <img
                className={styles['qr']}
                src={documentId ? `${DOCUMENT_QR_PATH}?scene=${documentId}&type=2` : MINI_HOME_QR_PATH}
                alt={documentId ? '这份方案的二维码' : '小程序码'}
                width={128}
                height={128}
                onError={() => setIsFailed(true)}
              />
              <p>{documentId ? '微信扫码，在手机上看这份方案' : '微信扫码打开小程序'}</p>
            </>
          )}
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
