import { Link, NavLink, useLocation } from 'react-router';
import { useSession } from '../../accounts/web/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Mark } from '../../ui/mark.tsx';
import { HeaderSearch } from './header-search.tsx';
import styles from './header.module.css';
import { MemberMenu } from './member-menu.tsx';
import { useSite } from './site-facts.ts';

/** Pages with a search box of their own. */
const WITH_OWN_SEARCH = new Set(['/', '/index', '/report']);

export function Header() {
  const site = useSite();
  const { pathname } = useLocation();
  const { member, openLogin, openRegister } = useSession();
  return (
    <header className={styles['header']}>
      <div className={styles['row']}>
        <Link to="/index" className={styles['brand']} aria-label={`${site?.name ?? '策库'} 首页`}>
          <Mark size={32} />
          <span className={styles['word']}>{site?.name ?? '策库'}</span>
        </Link>
        <nav className={styles['nav']} aria-label="主导航">
          <NavLink to="/report" className={styles['link']}>
            搜方案
          </NavLink>
          <NavLink to="/aboutVip" className={`${styles['link']} ${styles['gold']}`}>
            开通会员
          </NavLink>
        </nav>
        <div className={styles['middle']}>{!WITH_OWN_SEARCH.has(pathname) && <HeaderSearch />}</div>
        {member ? (
          <MemberMenu member={member} />
        ) : (
          <div className={styles['entry']}>
            <Button look="plain" onClick={() => openLogin()}>
              登录
            </Button>
            <Button look="quiet" className={styles['register']} onClick={() => openRegister()}>
              注册
            </Button>
          </div>
        )}
      </div>
    </header>
  );
}
