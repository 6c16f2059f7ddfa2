import { Link, useNavigation } from 'react-router';
import type { Named } from '../../library/contract.ts';
import { useLinkClicks } from '../../ui/navigation/use-link-clicks.ts';
import { homeHref, readHomeQuery } from './home-query.ts';
import styles from './theme-tabs.module.css';

/** 推荐 and the first themes, as links. `extra`: the theme of this address, which gets a tab when it is not among the first. */
export function ThemeTabs(props: { themes: Named[]; current: number; extra: Named | null }) {
  const { location } = useNavigation();
  const onClick = useLinkClicks({ preventScrollReset: true });
  // The tab changes at once, before its list is loaded.
  const isComing = location?.pathname === '/index';
  const current = isComing ? readHomeQuery(new URLSearchParams(location.search)).themeId : props.current;
  const isListed = props.extra === null || props.themes.some((theme) => theme.id === props.extra?.id);
  const tabs = [{ id: 0, name: '推荐' }, ...props.themes, ...(props.extra && !isListed ? [props.extra] : [])];
  return (
    <div className={styles['bar']}>
      <nav className={styles['tabs']} aria-label="活动类型" onClick={onClick}>
        {tabs.map((tab) => (
          <a
            key={tab.id}
            className={styles['tab']}
            href={homeHref({ themeId: tab.id, page: 1 })}
            aria-current={tab.id === current ? 'page' : undefined}
          >
            {tab.name}
          </a>
        ))}
      </nav>
      <Link className={styles['more']} to={props.current > 0 ? `/report?theme_id=${props.current}` : '/report'}>
        查看更多
      </Link>
    </div>
  );
}
