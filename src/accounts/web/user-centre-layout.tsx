import { NavLink, Outlet, useLocation } from 'react-router';
import { PleaseLogIn } from './private-page.tsx';
import { useSession } from './session.tsx';
import styles from './user-centre-layout.module.css';
import { UserPanel } from './user-panel.tsx';

const PAGES = [
  { to: '/user/index', label: '我的会员' },
  { to: '/user/order', label: '我的订单' },
  { to: '/user/group', label: '我的社群' },
  { to: '/user/invite', label: '邀请好友' },
  { to: '/user/userinfo', label: '个人信息' },
] as const;

/** Renders the user centre (§2): the member, the menu, and the page beside them; on a phone one above the other. */
export default function UserCentreLayout() {
  const { member } = useSession();
  const { pathname } = useLocation();
  if (!member) return <PleaseLogIn />;
  // /user is the same page as /user/index (C-15).
  const isAlias = pathname === '/user' || pathname === '/user/';
  return (
    <div className={styles['page']}>
      <aside className={styles['side']} aria-label="我的账号">
        <UserPanel member={member} />
        <nav className={styles['menu']} aria-label="用户中心">
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
