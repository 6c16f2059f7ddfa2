/**
 * The pages of the site as specification §2 lists them, and those that came later, with what each must be. A new route of
 * src/routes.ts stands here too (accessibility.test.ts compares the two). Addresses are of the demo library.
 */
export type RoutePage = {
  /** The pattern of the route as src/routes.ts names it, from the root. */
  route: string;
  /** An address of that route. */
  path: string;
  /** As a visitor gets it. */
  status: 200 | 404;
  title: RegExp;
  /** C-16. `whole`: sticky header and footer; `header`: no footer; `plain`: a simple header, also where a page has the whole window. */
  layout: 'whole' | 'header' | 'plain';
  /** Whether search engines may list the page; its canonical address then is `path`, without it the page is `noindex`. */
  isIndexed: boolean;
  /** Looked at in a browser as a visitor, as a member, or as both. */
  seenBy: readonly ('visitor' | 'member')[];
};

const shown = (
  route: string,
  path: string,
  title: RegExp,
  rest: Partial<Omit<RoutePage, 'route' | 'path' | 'title'>> = {},
): RoutePage => ({ route, path, title, status: 200, layout: 'whole', isIndexed: true, seenBy: ['visitor'], ...rest });

/** A page of a member: a visitor gets status 200, 请先登录, and nothing for search engines (C-17). */
const ofMember = (route: string, path: string, title: RegExp, seenBy: RoutePage['seenBy'] = ['member']): RoutePage =>
  shown(route, path, title, { isIndexed: false, seenBy });

export const ROUTE_TABLE: readonly RoutePage[] = [
  shown('/index', '/index', /^活动策划与营销方案资料库 - 策库$/, { seenBy: ['visitor', 'member'] }),
  shown('/report', '/report', /^搜方案 - 策库$/),
  // A theme that does not exist.
  shown('/report', '/report?theme_id=999999', /^页面不存在 - 策库$/, { status: 404, isIndexed: false }),
  shown('/chart', '/chart', /^搜图表 - 策库$/, { seenBy: ['visitor', 'member'] }),
  shown('/filetype/:id', '/filetype/1', /^.{2,} 方案 - 策库$/),
  shown('/filetype/:id', '/filetype/3', /^页面不存在 - 策库$/, { status: 404, isIndexed: false }),
  shown('/detail/:id?', '/detail/1', /^.{4,} - 策库$/, { layout: 'header', seenBy: ['visitor', 'member'] }),
  shown('/collection', '/collection', /^专题 - 策库$/),
  shown('/collection/detail', '/collection/detail?id=1', /^.{2,} - 专题 - 策库$/),
  shown('/collection/detail', '/collection/detail?id=999999', /^页面不存在 - 策库$/, { status: 404, isIndexed: false }),
  shown('/compare/:left', '/compare/1', /^选择要对比的方案 - 策库$/, { isIndexed: false }),
  shown('/compare/:left', '/compare/999999', /^页面不存在 - 策库$/, { status: 404, isIndexed: false, seenBy: [] }),
  shown('/compare/:left/:right', '/compare/1/999999', /^页面不存在 - 策库$/, {
    status: 404,
    layout: 'plain',
    isIndexed: false,
    seenBy: [],
  }),
  shown('/compare/:left/:right', '/compare/1/2', /^.*对比阅读 - 策库$/, {
    layout: 'plain',
    isIndexed: false,
    seenBy: ['member'],
  }),
  shown('/aboutVip', '/aboutVip', /^开通会员 - 策库$/, { seenBy: ['visitor', 'member'] }),
  ofMember('/user', '/user', /^我的会员 - 策库$/, []),
  ofMember('/user/index', '/user/index', /^我的会员 - 策库$/),
  ofMember('/user/order', '/user/order', /^我的订单 - 策库$/, ['visitor', 'member']),
  ofMember('/user/favorite', '/user/favorite', /^我的收藏 - 策库$/),
  ofMember('/user/history', '/user/history', /^阅读记录 - 策库$/),
  ofMember('/user/download', '/user/download', /^下载记录 - 策库$/),
  ofMember('/user/group', '/user/group', /^我的社群 - 策库$/, ['visitor', 'member']),
  ofMember('/user/group/:id', '/user/group/1', /^.* - 策库$/, ['visitor', 'member']),
  ofMember('/user/invite', '/user/invite', /^邀请好友 - 策库$/, ['visitor', 'member']),
  ofMember('/user/userinfo', '/user/userinfo', /^个人信息 - 策库$/),
  ofMember('/myCollection', '/myCollection', /^我的收藏 - 策库$/),
  ofMember('/myRecord', '/myRecord', /^我的阅读 - 策库$/),
  ofMember('/myDownload', '/myDownload', /^我的下载 - 策库$/),
  // The journey of a shortlist sees one that exists.
  shown('/s/:key', '/s/no-such-key', /^清单不存在或已失效 - 策库$/, { status: 404, isIndexed: false, seenBy: [] }),
  shown('/protocol', '/protocol', /^服务协议 - 策库$/, { layout: 'plain' }),
  shown('/privacy', '/privacy', /^隐私政策 - 策库$/, { layout: 'plain' }),
  shown('/infringement', '/infringement', /^侵权投诉指引 - 策库$/, { layout: 'plain' }),
  shown('/*', '/no-such-page', /^页面不存在 - 策库$/, { status: 404, layout: 'plain', isIndexed: false }),
];
