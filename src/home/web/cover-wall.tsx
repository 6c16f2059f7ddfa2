import styles from './cover-wall.module.css';

const COLUMNS = 4;
const FEWEST = 6;

/** Real covers behind the hero: dim, slow, decorative. Nothing while the library has too few. */
export function CoverWall({ covers }: { covers: string[] }) {
  if (covers.length < FEWEST) return null;
  return (
    <div className={styles['wall']} aria-hidden="true">
      <div className={styles['tilt']}>
        {Array.from({ length: COLUMNS }, (_, column) => (
          <div key={column} className={styles['column']}>
            {columnOf(covers, column).map((src, index) => (
              <img key={index} src={src} alt="" width={320} height={180} loading="lazy" decoding="async" />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Every column holds its covers twice: it moves by half its height and starts again unseen. */
function columnOf(covers: string[], column: number): string[] {
  const own = covers.filter((_, index) => index % COLUMNS === column).slice(0, 4);
  const filled = own.length < 4 ? [...own, ...covers.slice(0, 4 - own.length)] : own;
  return [...filled, ...filled];
}
