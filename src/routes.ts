import { index, layout, route, type RouteConfig } from '@react-router/dev/routes';

/** The site map (§2). `/` and `/user` redirect or alias in the server (C-15). */
export default [
  layout('site/web/layout.tsx', [
    index('home/web/root-alias.tsx'),
    route('index', 'home/web/home-page.tsx'),
    route('report', 'search/web/report-page.tsx'),
    route('detail/:id?', 'reading/web/detail-page.tsx'),
    route('aboutVip', 'membership/web/about-vip-page.tsx'),
    route('user', 'accounts/web/user-centre-layout.tsx', [
      index('membership/web/user-home-page.tsx', { id: 'user-alias' }),
      route('index', 'membership/web/user-home-page.tsx'),
      route('userinfo', 'accounts/web/user-info-page.tsx'),
    ]),
  ]),
  layout('site/web/plain-layout.tsx', [
    route('protocol', 'site/web/protocol-page.tsx'),
    route('privacy', 'site/web/privacy-page.tsx'),
    route('infringement', 'site/web/infringement-page.tsx'),
    route('*', 'site/web/not-found-page.tsx'),
  ]),
] satisfies RouteConfig;
