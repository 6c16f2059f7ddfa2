/** Returns the path of the page that shows a shortlist to anybody who has its key (C-116). */
export const shortlistPath = (key: string): string => `/s/${key}`;

/** Returns the path of a folder of the collection (0: the top), of its charts where `isCharts`. */
export function myCollectionPath(view: { folderId?: number; isCharts?: boolean; page?: number }): string {
  const query = new URLSearchParams();
  if (view.folderId) query.set('folder', String(view.folderId));
  if (view.isCharts) query.set('show', 'charts');
  if (view.page && view.page > 1) query.set('page', String(view.page));
  return `/myCollection${query.size > 0 ? `?${query}` : ''}`;
}
