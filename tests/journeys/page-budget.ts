/**
 * The most that the first view of a page may load, in kilobytes (1,000 bytes) of gzip over the wire. React and React
 * Router with its table of routes are 84 of them. A page that grows past its budget loads something that could wait for a press of a button; a
 * budget is raised with a reason.
 */
export const PAGE_BUDGET: readonly {
  page: string;
  route: string;
  dialogs?: string[];
  scripts: number;
  styles: number;
}[] = [
  { page: '/index', route: 'home/web/home-page', scripts: 113, styles: 11 },
  { page: '/report', route: 'search/web/report-page', scripts: 120, styles: 13 },
  // A visitor's login dialog opens by itself.
  { page: '/detail/{id}', route: 'reading/web/detail-page', dialogs: ['login-dialog'], scripts: 143, styles: 13 },
  { page: '/aboutVip', route: 'membership/web/prices/about-vip-page', scripts: 110, styles: 9 },
];

/** The same for each page that has no budget of its own. */
export const ANY_PAGE = { scripts: 122, styles: 12 };
