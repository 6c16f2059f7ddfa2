import styles from './cover-wall.module.css';

const COLUMNS = 4;
/** A column is then taller than the hero, wherever it comes to rest. */
const ROWS = 5;
const FEWEST = 6;

/**
 * Real covers behind the hero: dim, decorative, and at rest after five seconds, so that nothing goes on moving beside what
 * is read (WCAG 2.2.2). Nothing while the library has too few.
 */
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

/** Every fourth cover, beginning with another one in each column; a small library shows some of them twice. */
function columnOf(covers: string[], column: number): string[] {
  return Array.from({ length: ROWS }, (_, row) => covers[(column + row * COLUMNS) % covers.length] ?? '');
}
