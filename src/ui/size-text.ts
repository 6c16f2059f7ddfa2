/**
 * Returns the size of a file as text: `92 KB` below a megabyte, `1.5 MB`, `38 MB`. `megabytes` as in lists and details.
 */
export function sizeText(megabytes: number): string {
  if (megabytes < 0.01) return '不到 10 KB';
  if (megabytes < 1) return `${Math.round(megabytes * 1024)} KB`;
  return megabytes < 10 ? `${megabytes.toFixed(1).replace(/\.0$/, '')} MB` : `${Math.round(megabytes)} MB`;
}
