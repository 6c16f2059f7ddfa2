/** The reply codes as a reader of the API needs them (C-04). */
export const CODE_TABLE: readonly [code: number, meaning: string][] = [
  [0, '成功'],
  [1, '业务失败，message 可直接展示'],
  [2, '登录状态已失效，请重新登录'],
  [3, '扫码登录：已扫码，请在手机上确认'],
  [4, '内容不存在或已下架'],
  [5, '扫码登录：用户取消'],
  [6, '扫码登录：二维码已过期'],
  [31, '喵币余额不足，或今日免费下载额度已用完；未扣费'],
  [32, '普通用户仅可查看前 10 条搜索结果'],
  [33, '本月下载次数已达上限'],
  [34, '本月阅读次数已达上限'],
  [40, '参数不正确，data.field 为字段名'],
  [41, '操作过于频繁，data.retry_after 为需等待的秒数'],
  [42, '验证码错误或已过期'],
  [43, '需要先确认是本人，或稍后再试：message 说明怎么做'],
  [50, '当前会员等级不可用'],
  [60, '冲突，例如价格已变化'],
  [10000, '未登录，或 token 缺失、过期'],
  [500, '服务器错误（HTTP 500）'],
  [503, '依赖的服务暂时不可用（HTTP 503，带 Retry-After）；未扣费'],
];

/** HTTP states other than 200 that a call may answer (C-01). */
export const TRANSPORT_TABLE: readonly [status: number, name: string, meaning: string][] = [
  [400, 'BadRequest', '请求体不是合法的 JSON'],
  [404, 'UnknownPath', '接口不存在'],
  [405, 'WrongMethod', '请求方法不支持'],
  [413, 'TooLarge', '请求体过大'],
  [415, 'WrongMediaType', '请求体须为 application/json'],
  [429, 'TooManyRequests', '来自同一地址的请求过多（code 41），Retry-After 为需等待的秒数'],
  [500, 'ServerError', '服务器错误'],
  [503, 'Unavailable', '服务暂时不可用，未扣费'],
];
