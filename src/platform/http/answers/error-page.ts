import { readFileSync } from 'node:fs';
import type { Refusal } from '../../../protocol/envelope.ts';

type Text = { title: string; line: string; isWorthRetrying?: boolean };

const TEXT: Record<number, Text> = {
  403: { title: '链接已失效', line: '下载链接的有效期为 10 分钟，请返回方案页重新点击下载，不会重复扣费。' },
  404: { title: '抱歉，您访问的页面不存在', line: '它可能已被移动，或者地址输入有误。' },
  405: { title: '请求方法不支持', line: '请从页面上的链接进入。' },
  410: { title: '内容已下架', line: '这份文件已经下架，无法继续下载。' },
  416: { title: '请求的范围无效', line: '请重新下载。' },
  429: { title: '操作过于频繁', line: '短时间内打开的页面太多了，请稍候片刻再试。', isWorthRetrying: true },
  431: {
    title: '请求太长，无法打开',
    line: '如果粘贴了一整段文字，请只保留关键词；如果每个页面都这样，请清除本站的 Cookie 后再试。',
  },
  500: { title: '页面出错了', line: '我们已经记录了这个问题，请稍后再试。', isWorthRetrying: true },
  503: { title: '服务暂时不可用', line: '请稍后再试，您的账户没有任何扣费。', isWorthRetrying: true },
};

/** The site's mark, embedded in the page because nothing else may be reachable. */
const MARK = readFileSync(new URL('../../../../public/favicon.svg', import.meta.url), 'utf8').trim();
/** The drawing `broken` of src/ui/feedback/drawing.tsx. */
const DRAWING =
  '<svg width="144" height="108" viewBox="0 0 144 108" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M40 14h44l18 18v16l-14 8-12-8-14 10-12-8-10 6zM84 14v18h18M40 68l10-6 12 8 14-10 12 8 14-8v30a4 4 0 0 1-4 4H44a4 4 0 0 1-4-4z"/><path d="M54 82h24" stroke="#c8371f" stroke-width="3"/></svg>';
const STYLE = `*{box-sizing:border-box}html{scrollbar-gutter:stable}body{display:flex;flex-direction:column;min-width:320px;min-height:100vh;margin:0;background:#faf8f4;color:#1c1b19;font:16px/1.6 "PingFang SC","HarmonyOS Sans SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}header{padding:16px max(16px,50% - 600px);border-bottom:1px solid #e8e3da}header a{display:block;width:32px;border-radius:7px}header svg{display:block;width:32px;height:32px}@media(max-width:767px){header{padding-block:12px}}main{display:flex;flex:1;flex-direction:column;align-items:center;justify-content:center;padding:48px 16px 96px;text-align:center}h1{margin:24px 0 0;font-size:28px;line-height:1.25;text-wrap:balance}p{max-width:32em;margin:12px 0 0;color:#6b665e;text-wrap:balance}nav{display:flex;flex-wrap:wrap;justify-content:center;gap:12px;margin-top:32px}nav a{display:inline-flex;align-items:center;min-height:44px;padding:0 24px;border:1px solid #e8e3da;border-radius:6px;background:#fff;color:#1c1b19;font-size:14px;font-weight:600;text-decoration:none}nav a:hover{border-color:#6b665e}nav a:first-child{border-color:#c8371f;background:#c8371f;color:#fff}nav a:first-child:hover{border-color:#a92c17;background:#a92c17}a:focus-visible{outline:2px solid #c8371f;outline-offset:2px}.id{margin-top:32px;font-size:13px}`;

/** Retry-After in seconds while the database is away or the queue is full. */
const UNAVAILABLE_SECONDS = 5;

/**
 * Returns the text and the headers of a page that needs no other file. The page offers to try again where a later try
 * may succeed. `words` is markup and never a visitor's text.
 */
export function errorPage(
  status: number,
  requestId: string,
  words?: string,
): { body: string; headers: Record<string, string> } {
  const { title, line, isWorthRetrying } = TEXT[status] ?? { title: '页面出错了', line: '请稍后再试。' };
  const reference = requestId ? `<p class="id">请求编号 ${requestId}</p>` : '';
  // An empty address is the address of the page itself.
  const retry = isWorthRetrying ? '<a href="">重试</a>' : '';
  const body = `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title><style>${STYLE}</style></head>
<body><header><a href="/index" aria-label="首页">${MARK}</a></header><main>${DRAWING}<h1>${title}</h1><p>${words ?? line}</p><nav>${retry}<a href="/index">返回首页</a></nav>${reference}</main></body></html>`;
  return {
    body,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...allowed(status),
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
    },
  };
}

/**
 * Answers with an error page that needs no other file, for when pages or files cannot answer (C-99). `words` replaces
 * the default text, which is about downloads. A 503 carries Retry-After: `retryAfterSeconds`, or a default.
 */
export function serveErrorPage(
  status: number,
  requestId: string,
  words?: string,
  retryAfterSeconds = status === 503 ? UNAVAILABLE_SECONDS : 0,
): Response {
  const { body, headers } = errorPage(status, requestId, words);
  const more: Record<string, string> = retryAfterSeconds > 0 ? { 'retry-after': String(retryAfterSeconds) } : {};
  return new Response(body, { status, headers: { ...headers, ...more } });
}

/** Answers a refusal with an error page: status and Retry-After are those of the refusal. */
export function serveRefusalPage(refusal: Refusal, requestId: string): Response {
  const wait = refusal.data?.['retry_after'];
  return serveErrorPage(
    refusal.status,
    requestId,
    refusal.status === 503 ? '访问的人太多，请稍后再试。' : undefined,
    typeof wait === 'number' ? wait : undefined,
  );
}

/** A 405 names the methods that are served (RFC 9110, 15.5.6): pages, images and files have these two. */
const allowed = (status: number): Record<string, string> => (status === 405 ? { allow: 'GET, HEAD' } : {});

/** Refuses an image or a file: a status without a body, which no cache keeps. */
export const refuseFile = (status: number, headers: Record<string, string> = {}): Response =>
  new Response(null, { status, headers: { 'cache-control': 'no-store', ...allowed(status), ...headers } });
