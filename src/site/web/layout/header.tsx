import { Link, NavLink, useLocation } from 'react-router';
import { useSession } from '../../../accounts/web/session.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Mark } from '../../../ui/pictures/mark.tsx';
import styles from './header.module.css';
import { MemberButton } from './member-button.tsx';
import { useSite } from '../../../root-data.ts';
import { useSearchSubmit } from '../../../ui/navigation/use-search-submit.ts';
import { SearchIcon } from '../../../ui/pictures/icons.tsx';

/** Pages with a search box of their own. */
const WITH_OWN_SEARCH = new Set(['/', '/index', '/report']);

export function Header() {
  const site = useSite();
  const { pathname } = useLocation();
  const { member, openLogin, openRegister } = useSession();
  const isMember = (member?.vip_last_day ?? 0) > 0;
  return (
    <header className={styles['header']} data-screen>
      <div className={styles['row']}>
        <Link to="/index" className={`${styles['brand']} touch-target`} aria-label={`${site?.name ?? '策库'} 首页`}>
          <Mark size={32} />
          <span className={styles['word']}>{site?.name ?? '策库'}</span>
        </Link>
        <nav className={styles['nav']} aria-label="主导航">
          <NavLink to="/report" className={styles['link']}>
            搜方案
          </NavLink>
          <NavLink to="/chart" className={`${styles['link']} ${styles['charts']}`} data-member={isMember}>
            图表
          </NavLink>
          <NavLink to="/collection" end className={`${styles['link']} ${styles['collections']}`} data-member={isMember}>
            专题
          </NavLink>
          {isMember ? (
            <NavLink to="/user/index" className={`${styles['link']} ${styles['gold']}`}>
              会员中心
            </NavLink>
          ) : (
            <NavLink to="/aboutVip" className={`${styles['link']} ${styles['gold']}`}>
              开通会员
            </NavLink>
          )}
        </nav>
        <div className={styles['middle']}>{!WITH_OWN_SEARCH.has(pathname) && <HeaderSearch />}</div>
        {member ? (
          <MemberButton member={member} />
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

/** The small search box of inner pages: a real form, so that it works before scripts do. */
function HeaderSearch() {
  const submit = useSearchSubmit();
  return (
    <form className={styles['form']} role="search" action="/report" {...submit}>
      <span className={styles['icon']}>
        <SearchIcon size={16} />
      </span>
      <input
        className={styles['input']}
        type="search"
        name="search_key"
        placeholder="搜索方案"
        aria-label="搜索方案"
        maxLength={50}
        autoComplete="off"
        enterKeyHint="search"
      />
    </form>
  );
}
