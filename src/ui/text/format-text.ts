import { formatNumber } from '../../protocol/format-number.ts';

/** Returns a price as text: `12 喵币`, with thousands separators; 0 is 免费. */
export function priceText(coins: number): string {
  return coins === 0 ? '免费' : `${formatNumber(coins)} 喵币`;
}

/** Returns an amount of yuan without needless decimals: 98, 98.50, 1,999.50. */
export const yuan = (price: number) =>
  Number.isInteger(price) ? formatNumber(price) : price.toFixed(2).replace(/\B(?=(?:\d{3})+\.)/g, ',');

/** Bytes of a megabyte, the unit of a document's `size` in lists and details. */
export const MiB = 1_048_576;

/** Returns the size of a file as text: `0.09 MB`, `1.5 MB`, `38 MB`, `2 GB`. */
export function sizeText(bytes: number): string {
  const megabytes = bytes / MiB;
  if (megabytes >= 1024) return `${Number((megabytes / 1024).toFixed(1))} GB`;
  if (megabytes < 0.01) return '不到 0.01 MB';
  if (megabytes < 1) return `${Number(megabytes.toFixed(2))} MB`;
  return `${megabytes < 10 ? Number(megabytes.toFixed(1)) : Math.round(megabytes)} MB`;
}

/** Shanghai has had no summer time since 1991, so its offset is fixed (C-05). */
const SHANGHAI_OFFSET_SECONDS = 8 * 3600;

/** Returns `2026-11-21 18:05` in Shanghai time for epoch seconds. */
export function momentText(seconds: number): string {
  return new Date((seconds + SHANGHAI_OFFSET_SECONDS) * 1000).toISOString().slice(0, 16).replace('T', ' ');
}
