import { Link, Outlet } from 'react-router';
import { Mark } from '../../../ui/pictures/mark.tsx';
import styles from './plain-layout.module.css';
import { useSite } from '../../../root-data.ts';

/** Layout of legal pages and 404: a simple header, no footer (C-16). */
export default function PlainLayout() {
  const site = useSite();
  return (
    <div className={styles['page']}>
      <header className={styles['header']}>
        <div className={styles['row']}>
          <Link to="/index" className={`${styles['brand']} touch-target`}>
            <Mark size={32} />
            {site?.name ?? '策库'}
          </Link>
          <Link to="/index" className={`${styles['home']} touch-target`}>
            返回首页
          </Link>
        </div>
      </header>
      <main className={styles['main']}>
        <Outlet />
      </main>
    </div>
  );
}
