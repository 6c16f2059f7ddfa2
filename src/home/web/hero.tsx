import { CoverWall } from './cover-wall.tsx';
import { countText } from './count-text.ts';
import { HeroSearch } from './hero-search.tsx';
import styles from './hero.module.css';
import { HotWords } from './hot-words.tsx';

/** What the library is for, how much is in it, and the way in. */
export function Hero(props: { counts: { documents: number; industries: number }; covers: string[] }) {
  return (
    <section className={styles['hero']} aria-label="搜索方案">
      <CoverWall covers={props.covers} />
      <div className={styles['words']}>
        <h1 className={styles['title']}>
          下一场活动，
          <br className={styles['break']} />
          从一份好方案开始
        </h1>
        {props.counts.documents > 0 && (
          <p className={styles['counts']}>
            收录 <strong>{countText(props.counts.documents)}</strong> 份 · 覆盖{' '}
            <strong>{props.counts.industries}</strong> 个行业
          </p>
        )}
        <HeroSearch />
        <HotWords />
      </div>
    </section>
  );
}
