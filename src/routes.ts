import { index, layout, route, type RouteConfig } from '@react-router/dev/routes';

/** The site map (§2). `/` and `/user` redirect or alias in the server (C-15). */
export default [
  layout('site/web/layout/layout.tsx', [
    index('home/web/root-alias.tsx'),
    route('index', 'home/web/home-page.tsx'),
    route('report', 'search/web/report-page.tsx'),
    route('chart', 'search/web/charts/chart-page.tsx'),
    route('detail/:id?', 'reading/web/detail-page.tsx'),
    route('filetype/:id', 'library/web/file-type-page.tsx'),
    route('collection', 'collections/web/collection-list-page.tsx'),
    route('collection/detail', 'collections/web/collection-page.tsx'),
    route('compare/:left', 'reading/web/compare/choose-page.tsx'),
    route('aboutVip', 'membership/web/prices/about-vip-page.tsx'),
    route('user', 'accounts/web/user-centre-layout.tsx', [
      index('membership/web/member/user-home-page.tsx', { id: 'user-alias' }),
      route('index', 'membership/web/member/user-home-page.tsx'),
      route('order', 'payment/web/orders/order-list-page.tsx'),
      route('favorite', 'shelf/web/lists/favorite-page.tsx'),
      route('history', 'shelf/web/lists/history-page.tsx'),
      route('download', 'shelf/web/lists/download-page.tsx'),
      route('group', 'groups/web/group-list-page.tsx'),
      route('group/:id', 'groups/web/group-shelf-page.tsx'),
      route('invite', 'invites/web/invite-page.tsx'),
      route('userinfo', 'accounts/web/user-info-page.tsx'),
    ]),
    route('myCollection', 'shelf/web/collection/my-collection-page.tsx'),
    route('myRecord', 'shelf/web/lists/my-record-page.tsx'),
    route('myDownload', 'shelf/web/lists/my-download-page.tsx'),
    route('s/:key', 'shelf/web/shortlist/shortlist-page.tsx'),
  ]),
  // The two documents have the whole window.
  route('compare/:left/:right', 'reading/web/compare/compare-page.tsx'),
  layout('site/web/layout/plain-layout.tsx', [
    route('protocol', 'legal/web/protocol-page.tsx'),
    route('privacy', 'legal/web/privacy-page.tsx'),
    route('infringement', 'legal/web/infringement-page.tsx'),
    route('*', 'site/web/errors/not-found-page.tsx'),
  ]),
] satisfies RouteConfig;
