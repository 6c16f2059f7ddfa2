const TEXT: Record<number, [title: string, line: string]> = {
  403: ['链接已失效', '下载链接的有效期为 10 分钟，请返回方案页重新点击下载，不会重复扣费。'],
  404: ['抱歉，您访问的页面不存在', '它可能已被移动，或者地址输入有误。'],
  405: ['请求方法不支持', '请从页面上的链接进入。'],
  410: ['内容已下架', '这份文件已经下架，无法继续下载。'],
  416: ['请求的范围无效', '请重新下载。'],
  429: ['操作过于频繁', '短时间内打开的页面太多了，请稍候片刻再试。'],
  500: ['页面出错了', '我们已经记录了这个问题，请稍后再试。'],
  503: ['服务暂时不可用', '请稍后再试，您的账户没有任何扣费。'],
};

/** Retry-After in seconds while the database is away or the queue is full. */
const UNAVAILABLE_SECONDS = 5;

/**
 * Returns the text and the headers of a page that needs no other file. `words` is markup and never a visitor's text.
 */
export function errorPage(
  status: number,
  requestId: string,
  words?: string,
): { body: string; headers: Record<string, string> } {
  const [title, usual] = TEXT[status] ?? ['页面出错了', '请稍后再试。'];
  const line = words ?? usual;
  const reference = requestId ? `<p class="id">请求编号 ${requestId}</p>` : '';
  const body = `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title>
<style>body{margin:0;min-height:100vh;display:grid;place-items:center;background:#faf8f4;color:#1c1b19;font:16px/1.6 "PingFang SC","HarmonyOS Sans SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}main{padding:32px;text-align:center;max-width:32em}h1{font-size:28px;line-height:1.25;margin:0 0 8px}p{color:#6b665e;margin:0 0 24px}a{display:inline-block;padding:10px 24px;border-radius:6px;background:#c8371f;color:#fff;text-decoration:none}.id{margin:24px 0 0;font-size:13px}</style></head>
<body><main><h1>${title}</h1><p>${line}</p><a href="/index">返回首页</a>${reference}</main></body></html>`;
  return {
    body,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
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
