import { useEffect, useRef } from 'react';
import { NavLink, Outlet, useLocation } from 'react-router';
import { PleaseLogIn } from './private-page.tsx';
import { useSession } from './session.tsx';
import styles from './user-centre-layout.module.css';
import { UserPanel } from './user-panel.tsx';

const PAGES = [
  { to: '/user/index', label: '我的会员' },
  { to: '/user/order', label: '我的订单' },
  { to: '/user/favorite', label: '我的收藏' },
  { to: '/user/history', label: '阅读记录' },
  { to: '/user/download', label: '下载记录' },
  { to: '/user/group', label: '我的社群' },
  { to: '/user/invite', label: '邀请好友' },
  { to: '/user/userinfo', label: '个人信息' },
] as const;

/** Renders the user centre (§2): the member, the menu, and the page beside them; on a phone one above the other. */
export default function UserCentreLayout() {
  const { member } = useSession();
  const { pathname } = useLocation();
  const menu = useRef<HTMLElement>(null);
  useEffect(() => scrollToPresent(menu.current), [pathname]);
  if (!member) return <PleaseLogIn />;
  // /user is the same page as /user/index (C-15).
  const isAlias = pathname === '/user' || pathname === '/user/';
  return (
    <div className={styles['page']}>
      <aside className={styles['side']} aria-label="我的账号">
        <UserPanel member={member} hasPlans={isAlias || pathname === '/user/index'} />
        <nav ref={menu} className={styles['menu']} aria-label="用户中心">
          {PAGES.map((page) => {
            const isHere = isAlias && page.to === '/user/index';
            return (
              <NavLink
                key={page.to}
                to={page.to}
                className={styles['entry']}
                {...(isHere && { 'aria-current': 'page' as const, 'data-here': true })}
              >
                {page.label}
              </NavLink>
            );
          })}
        </nav>
      </aside>
      <div className={styles['content']}>
        <Outlet />
      </div>
    </div>
  );
}

/** Scrolls the menu of a phone sideways until the entry of the present page is in its middle. */
function scrollToPresent(menu: HTMLElement | null): void {
  const entry = menu?.querySelector('[aria-current="page"]');
  if (!menu || !entry) return;
  const [frame, box] = [menu.getBoundingClientRect(), entry.getBoundingClientRect()];
  menu.scrollLeft += box.left + box.width / 2 - (frame.left + frame.width / 2);
}
