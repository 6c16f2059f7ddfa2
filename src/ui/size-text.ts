/** The size of a file as people read it, from megabytes of 1024²: `92 KB`, `4.2 MB`, `138 MB`. */
export function sizeText(megabytes: number): string {
  if (megabytes < 1) return `${Math.max(Math.round(megabytes * 1024), 1)} KB`;
  return `${megabytes < 10 ? Number(megabytes.toFixed(1)) : Math.round(megabytes)} MB`;
}
