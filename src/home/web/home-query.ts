import { wholeNumber } from '../../protocol/whole-number.ts';

/** The query of the home page. `themeId` 0 means recommended. */
export type HomeQuery = { themeId: number; page: number };

export function readHomeQuery(params: URLSearchParams): HomeQuery {
  return { themeId: wholeNumber(params.get('theme_id')) ?? 0, page: wholeNumber(params.get('page')) || 1 };
}

/** Returns the shortest address of a view: defaults are left out. */
export function homeHref({ themeId, page }: HomeQuery): string {
  const params = new URLSearchParams();
  if (themeId > 0) params.set('theme_id', String(themeId));
  if (page > 1) params.set('page', String(page));
  const query = params.toString();
  return query ? `/index?${query}` : '/index';
}
