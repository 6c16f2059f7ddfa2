/** Calls of other versions of this API that this release answers with 404, by subject. */
export const LEFT_OUT_CALLS: readonly [subject: string, paths: readonly string[]][] = [
  ['图表搜索', ['/api/chart/search']],
];
