/** The glyph 策 in a 64 × 64 box; public/favicon.svg and the PNG icons are drawn from the same outline. */
const GLYPH =
  'M33.8 9.6C33.2 11.6 32.4 13.5 31.5 15.2C29.7 13.6 27.4 11.7 27.4 11.7L24.7 15.5L20.9 15.5C21.3 14.8 21.7 14.2 22.1 13.5C23.2 13.6 23.8 13.2 24 12.6L16 9.7C14.9 15.4 12.3 20.6 9.5 24L9.9 24.4C13.7 22.8 17.2 20.3 19.9 16.8L20.4 16.8C21.1 18.2 21.6 20.1 21.5 21.8C25.3 25.1 30.2 19.5 24 16.8L30.6 16.8C29.3 18.8 27.9 20.6 26.5 22L26.9 22.4L28.4 21.9L28.4 25.1L10.8 25.1L11.2 26.4L28.4 26.4L28.4 30.8L22 30.8L15 28.2L15 43.2L15.9 43.2C18.6 43.2 21.6 41.8 21.6 41.2L21.6 32.1L28.3 32.1C25.2 40.5 18.1 48.3 10.1 52.2L10.5 52.8C17.4 51 23.7 47.8 28.4 44L28.4 54.4L29.6 54.4C32.2 54.4 35 53 35 52.4L35 37.2C37.5 45.9 42.2 50.3 49.2 53.6C50 50.4 51.8 48.2 54.4 47.6L54.5 47C50.1 46.2 45.7 44.9 42 42.7C48.5 42.1 49.4 40.2 49.4 36.8L49.4 33.2C50.3 33 51 32.6 51.2 32.2L45.1 27.7L42.3 30.8L35 30.8L35 26.4L52.3 26.4C53 26.4 53.5 26.2 53.6 25.7C51.5 23.6 47.8 20.6 47.8 20.6L44.5 25.1L35 25.1L35 22.7C36.3 22.5 36.7 22 36.8 21.3L31.1 20.8C33.3 19.8 35.4 18.5 37.3 16.8L38.9 16.8C39.7 18.2 40.4 20 40.5 21.8C44.4 24.9 48.9 19.4 43.6 16.8L53.2 16.8C53.9 16.8 54.4 16.5 54.5 16C52.5 14.2 49 11.6 49 11.6L45.9 15.5L38.6 15.5C39.2 14.8 39.8 14.2 40.3 13.5C41.4 13.5 42 13.1 42.2 12.5ZM42.8 32.1L42.8 36.2C42.8 36.7 42.6 37 42 37C41.1 37 37.7 36.8 37.7 36.8L37.7 37.3C39.8 37.7 40.4 38.3 41 39C41.6 39.7 41.7 40.9 41.8 42.5C38.8 40.7 36.4 38.2 35 34.9L35 32.1Z';

/** The seal: a red rounded square with 策 cut out in white. Decorative: the wordmark beside it carries the name. */
export function Mark({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 64 64" aria-hidden="true" focusable="false">
      <rect width="64" height="64" rx="14" fill="var(--seal)" />
      <path fill="#fff" d={GLYPH} />
    </svg>
  );
}

/** The glyph alone, for missing covers, in the colour of its text. */
export function Glyph({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 64 64" aria-hidden="true" focusable="false">
      <path fill="currentColor" d={GLYPH} />
    </svg>
  );
}
