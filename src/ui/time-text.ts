/** Shanghai has had no summer time since 1991, so its offset is fixed (C-05). */
const SHANGHAI_OFFSET_SECONDS = 8 * 3600;

/** Returns `2026-11-21 18:05` in Shanghai time for epoch seconds. */
export function momentText(seconds: number): string {
  return new Date((seconds + SHANGHAI_OFFSET_SECONDS) * 1000).toISOString().slice(0, 16).replace('T', ' ');
}
