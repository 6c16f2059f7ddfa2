import { z } from 'zod';
import { CODE } from '../protocol/codes.ts';
import { DAY_SECONDS } from '../protocol/durations.ts';
import { endpoint, type Answer } from '../protocol/endpoint.ts';
import { flag, rowId, rowIds, ownSid } from '../protocol/fields.ts';
import { pagedFields, pageNumber, pageSize } from '../protocol/paging.ts';
import { waysOut } from './contract-ways-out.ts';
import { LIFETIME_DAYS } from './rules.ts';

/** The user session object of §3, as C-60 fills it. */
const member = z.object({
  id: z.number().int().describe('用户 id'),
  uid: z.number().int().describe('用户 id，与 id 相等'),
  user_id: z.number().int().describe('用户 id，与 id 相等'),
  sid: z.string().describe('会话编号'),
  /** Empty while a page is drawn on the server: the text of a page holds no token. */
  token: z.string().describe('本次请求所带的登录凭证'),
  openid: z.string().describe('微信 openid，没有时为空字符串'),
  name: z.string().describe('用户名'),
  nickname: z.string().describe('昵称'),
  avatar: z.string().describe('头像路径，没有时为空字符串'),
  phone: z.string().describe('手机号（打码，如 138****1234），未绑定时为空字符串'),
  has_password: flag.describe('已设置密码为 1'),
  /** Of two memberships that run the advanced one counts (C-32). */
  is_vip: z.union([z.literal(0), z.literal(1), z.literal(2)]).describe('0 非会员，1 标准会员，2 高级会员'),
  /** Follows the membership at once: an expired member is an ordinary user (C-33). */
  user_type: z.union([z.literal(1), z.literal(2), z.literal(3)]).describe('1 普通，2 标准，3 高级'),
  unlock_chart: flag.describe('可用图表搜索为 1'),
  unlock_end_time: z.number().int().describe('标准会员到期时间，Unix 秒；没有为 0'),
  unlock_end_time_text: z.string().describe('标准会员到期日'),
  advanced_end_time: z.number().int().describe('高级会员到期时间，Unix 秒；没有为 0'),
  advanced_end_time_text: z.string().describe('高级会员到期日'),
  vip_last_day: z.number().int().describe('会员剩余天数，向上取整；非会员为 0'),
  vCount: z.number().int().describe('今日剩余下载券，与 today_left 相同'),
  today_left: z.number().int().describe('今日剩余下载券'),
  today_used: z.number().int().describe('今日已用下载券'),
  month_left: z.number().int().describe('本月剩余免费下载次数'),
  month_used: z.number().int().describe('本月已用免费下载次数；会员等级降低后可能超过上限'),
  read_month_left: z.number().int().describe('本月剩余阅读份数'),
  read_month_used: z.number().int().describe('本月已阅读份数'),
  balance: z.number().int().describe('喵币余额'),
  roles: z.array(z.string()).describe('角色，恒为空数组'),
});
export type Member = z.infer<typeof member>;

export const TIER_NAMES = { 1: '标准会员', 2: '高级会员' } as const;
/** The plans of the list `vip` by their position (§3, C-30). */
export const PLAN_NAMES = ['季度会员', '年度会员', '终身会员'] as const;
/** The days, from and to, for which such a plan is what its name says. */
const PLAN_DAYS = [
  [80, 100],
  [360, 370],
  [36_500, 36_500],
] as const;

/**
 * Returns the name under which an item is ordered and paid: the plan of /aboutVip, the tier of the user centre (C-30); a pack, a plan
 * beyond the three, and one that does not last as long as its place says, have the name of the price list.
 */
export function saleName(item: {
  catalogue: 'items' | 'vip' | 'miao';
  position: number;
  tier: number | null;
  days: number;
  description: string;
}): string {
  const { catalogue, tier, description } = item;
  if (catalogue === 'vip') {
    const [from, to] = PLAN_DAYS[item.position] ?? [Infinity, 0];
    return (item.days >= from && item.days <= to && PLAN_NAMES[item.position]) || description;
  }
  if (catalogue === 'items') return TIER_NAMES[tier === 2 ? 2 : 1];
  return description;
}

/** One tier of a membership: when it ends, or that it is for life (C-32). */
type Term = { tier: 1 | 2; endAt: number; lastDay: string; isForLife: boolean };

/**
 * Returns the tiers that a member has from now on, the current one first. Both clocks may run: the advanced tier counts
 * until it ends, and what remains of the standard tier follows it (C-32), unless both end on the same day.
 */
export function termsOf(member: Member): Term[] {
  if (member.vip_last_day === 0) return [];
  const standard = { tier: 1, endAt: member.unlock_end_time, lastDay: member.unlock_end_time_text } as const;
  const advanced = { tier: 2, endAt: member.advanced_end_time, lastDay: member.advanced_end_time_text } as const;
  const latest = Math.max(standard.endAt, advanced.endAt);
  // vip_last_day belongs to the clock that ends last; the other clock has fewer days left.
  const isForLife = (endAt: number) => member.vip_last_day - (latest - endAt) / DAY_SECONDS > LIFETIME_DAYS;
  // Days of Shanghai as YYYY-MM-DD, which sort as they follow each other.
  const terms =
    member.is_vip === 2 ? [advanced, ...(standard.lastDay > advanced.lastDay ? [standard] : [])] : [standard];
  return terms.map((term) => ({ ...term, isForLife: isForLife(term.endAt) }));
}

/** Returns 高级会员 2027-01-01 到期，之后标准会员 2027-03-01 到期 (C-103); "" for a user who is no member. */
export function standingText(member: Member): string {
  const [now, later] = termsOf(member);
  if (!now) return '';
  const text = termText(now);
  return later && !now.isForLife ? `${text}，之后${termText(later)}` : text;
}

/** Returns 高级会员已于 2026-11-01 到期 for a user whose membership is over; "" for members and for who never was one. */
export function lapsedText(member: Member): string {
  if (member.vip_last_day > 0) return '';
  const isAdvanced = member.advanced_end_time > member.unlock_end_time;
  const lastDay = isAdvanced ? member.advanced_end_time_text : member.unlock_end_time_text;
  return lastDay && `${TIER_NAMES[isAdvanced ? 2 : 1]}已于 ${lastDay} 到期`;
}

const termText = ({ tier, lastDay, isForLife }: Term) =>
  isForLife ? `${TIER_NAMES[tier]}终身有效` : `${TIER_NAMES[tier]} ${lastDay} 到期`;

/**
 * Returns 剩 90 天, counted over all tiers together (C-32); 终身 where one of them is for life; "" for a user who is no
 * member.
 */
export function daysText(member: Member): string {
  if (member.vip_last_day === 0) return '';
  if (member.vip_last_day > LIFETIME_DAYS) return '终身';
  const isBoth = termsOf(member).length > 1;
  return `${isBoth ? '共剩' : '剩'} ${member.vip_last_day} 天`;
}

export const getMine = endpoint({
  method: 'POST',
  path: '/api/user/mine',
  summary: '当前登录用户：余额、会员与今日额度。',
  auth: 'session',
  input: z.object({ sid: ownSid }),
  output: member,
});

/** Returns which of the listed documents the caller owns (C-34). The lists themselves are the same for everybody. */
export const listOwned = endpoint({
  method: 'POST',
  path: '/api/doc/ownedList',
  summary: '所给方案中当前用户已购的，再次下载不扣费；一次至多 100 份。',
  auth: 'session',
  limit: { perIp: 120, perUser: 240, isInMemory: true },
  input: z.object({ fids: rowIds(100).describe('方案 id 的数组，或其 JSON 文本；至多 100 个，不是 id 的项会被忽略') }),
  output: z.object({ fids: z.array(z.number().int()).describe('其中当前用户已购的方案 id') }),
});

const downloadMethod = z.enum(['owned', 'free', 'coupon', 'coin']);

/** Returns what a download would cost, without charging (C-36), and the ways out where it would be refused. */
export const quoteDownload = endpoint({
  method: 'POST',
  path: '/api/doc/downloadQuote',
  summary: '询价：下载这份方案将如何扣费，不产生任何扣费；不足时说明还差什么。',
  auth: 'session',
  limit: { perIp: 60, perUser: 120 },
  input: z.object({ fid: rowId.describe('方案 id，数字或数字字符串') }),
  output: waysOut.omit({ download: true }).extend({
    method: z
      .enum(['owned', 'free', 'coupon', 'coin', 'insufficient'])
      .describe('扣费方式：owned 已拥有，free 免费，coupon 下载券，coin 喵币，insufficient 不足'),
    cost: z.number().int().describe('所需喵币；已拥有、免费或使用下载券时为 0'),
    balance_after: z.number().int().describe('下载后的喵币余额'),
    today_left: z.number().int().describe('今日剩余下载券'),
    month_left: z.number().int().describe('本月剩余免费下载次数'),
    code: z.number().int().describe('下载接口将返回的码：0、31 或 33'),
  }),
});

/** Refusals: 10000, 2, 40, 4, 31 and 33 (nothing charged; `waysOut`), 60 when `expect` no longer holds. */
export const downloadDocument = endpoint({
  method: 'POST',
  path: '/api/doc/download',
  summary: '下载原文件：首次下载按 已拥有、免费、下载券、喵币 的顺序扣费，之后永久免费。',
  auth: 'session',
  limit: { perIp: 10, perUser: 20 },
  refusals: { codes: [CODE.insufficient, CODE.downloadLimit], data: waysOut },
  input: z.object({
    fid: rowId.describe('方案 id，数字或数字字符串'),
    /** A guard that cannot be read is refused (40), never ignored: the caller meant to limit the charge. */
    expect: z
      .object({
        method: z.string().describe('预期的扣费方式，取自 /api/doc/downloadQuote'),
        cost: z.number().describe('预期的喵币数'),
      })
      .nullish()
      .describe('可选的保护：与实际扣费方式或金额不一致时返回 60，不扣费'),
  }),
  output: z.object({
    url: z.string().describe('站内下载路径，10 分钟内有效，无需凭证，可重复使用，支持断点续传'),
    file_name: z.string().describe('建议的文件名'),
    size: z.number().int().describe('文件大小（字节）'),
    sha256: z.string().describe('文件的 SHA-256'),
    method: downloadMethod.describe('扣费方式：owned 已拥有，free 免费，coupon 下载券，coin 喵币'),
    cost: z.number().int().describe('本次扣除的喵币'),
    balance: z.number().int().describe('扣费后的喵币余额'),
    is_vip: z.number().int().describe('0 非会员，1 标准会员，2 高级会员'),
  }),
});

/** The member's entries of the ledger, newest first; 10 a page (§9). */
export const listCoinRecords = endpoint({
  method: 'POST',
  path: '/api/user/coinRecords',
  summary: '喵币明细：每一笔收入与支出，最新在前。',
  auth: 'session',
  limit: { perIp: 60, perUser: 60 },
  input: z.object({ page: pageNumber, pageSize: pageSize(10) }),
  output: z.object({
    items: z
      .array(
        z.object({
          id: z.number().int().describe('明细 id'),
          kind_text: z.string().describe('类型：客服发放、充值、邀请奖励、下载方案、退款扣回'),
          amount: z.number().int().describe('喵币变动，支出为负数'),
          balance_after: z.number().int().describe('这一笔之后的喵币余额'),
          fid: z.number().int().describe('所下载方案的 id；不是下载或方案已不存在时为 0'),
          name: z.string().describe('所下载方案的名称；不是下载或方案已不存在时为空字符串'),
          create_time: z.number().int().describe('发生时间，Unix 秒'),
        }),
      )
      .describe('喵币明细，最新在前'),
    count: z.number().int().describe('总条数，与 total 相同'),
    ...pagedFields,
  }),
});
export type CoinRecord = Answer<typeof listCoinRecords>['items'][number];
