import { z } from 'zod';
import { endpoint, type Answer } from '../protocol/endpoint.ts';
import { pagedFields, pageNumber, pageSize, rowId, rowIds } from '../protocol/paging.ts';
import { LIFETIME_DAYS } from './rules.ts';

/** The user session object of §3, as C-60 fills it. */
export const member = z.object({
  id: z.number().int(),
  uid: z.number().int(),
  user_id: z.number().int(),
  sid: z.string(),
  /** The caller's token, as it was sent; "" while a page is rendered on the server, because its HTML holds no token. */
  token: z.string(),
  openid: z.string(),
  name: z.string(),
  nickname: z.string(),
  avatar: z.string(),
  /** Masked (138****1234); "" when none is bound. */
  phone: z.string(),
  has_password: z.union([z.literal(0), z.literal(1)]),
  /** 0 none, 1 standard, 2 advanced (C-32). */
  is_vip: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  /** 1 ordinary, 2 standard, 3 advanced (C-33). */
  user_type: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  unlock_chart: z.union([z.literal(0), z.literal(1)]),
  /** Epoch seconds; 0 when never. */
  unlock_end_time: z.number().int(),
  unlock_end_time_text: z.string(),
  advanced_end_time: z.number().int(),
  advanced_end_time_text: z.string(),
  /** Whole days left, rounded up; 0 without membership. */
  vip_last_day: z.number().int(),
  /** Download coupons left today. */
  vCount: z.number().int(),
  today_left: z.number().int(),
  /** Free downloads left this month. */
  month_left: z.number().int(),
  /** Documents a member may still read in full this month. */
  read_month_left: z.number().int(),
  /** Coins. */
  balance: z.number().int(),
  roles: z.array(z.string()),
});
export type Member = z.infer<typeof member>;

const DAY = 86_400;
export const TIER_NAMES = { 1: '标准会员', 2: '高级会员' } as const;

/** One tier of a membership: when it ends, or that it is for life (C-32). */
type Term = { tier: 1 | 2; endAt: number; lastDay: string; isForLife: boolean };

/**
 * Returns the tiers that a member has from now on, the current one first. Both clocks may run: the advanced tier counts
 * until it ends, and the rest of the standard tier follows it (C-32).
 */
export function termsOf(member: Member): Term[] {
  if (member.vip_last_day === 0) return [];
  const standard = { tier: 1, endAt: member.unlock_end_time, lastDay: member.unlock_end_time_text } as const;
  const advanced = { tier: 2, endAt: member.advanced_end_time, lastDay: member.advanced_end_time_text } as const;
  const latest = Math.max(standard.endAt, advanced.endAt);
  // vip_last_day belongs to the clock that ends last; the other clock has fewer days left.
  const isForLife = (endAt: number) => member.vip_last_day - (latest - endAt) / DAY > LIFETIME_DAYS;
  const terms = member.is_vip === 2 ? [advanced, ...(standard.endAt > advanced.endAt ? [standard] : [])] : [standard];
  return terms.map((term) => ({ ...term, isForLife: isForLife(term.endAt) }));
}

/** Returns 高级会员至 2027-01-01，之后标准会员至 2027-03-01; "" for a user who is no member. */
export function standingText(member: Member): string {
  const [now, later] = termsOf(member);
  if (!now) return '';
  const text = termText(now);
  return later && !now.isForLife ? `${text}，之后${termText(later)}` : text;
}

const termText = ({ tier, lastDay, isForLife }: Term) =>
  isForLife ? `${TIER_NAMES[tier]}终身有效` : `${TIER_NAMES[tier]}至 ${lastDay}`;

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
  /** `sid`, when given, must be the session's own: otherwise code 2 (C-03). */
  input: z.object({
    sid: z
      .unknown()
      .optional()
      .transform((sid) => (typeof sid === 'string' ? sid : '')),
  }),
  output: member,
});

/** Returns which of the listed documents the caller owns (C-34). The lists themselves are the same for everybody. */
export const listOwned = endpoint({
  method: 'POST',
  path: '/api/doc/ownedList',
  summary: '所给方案中当前用户已购的，再次下载不扣费；一次至多 100 份。',
  auth: 'session',
  limit: { perIp: 120, perUser: 240, isInMemory: true },
  /** An array of ids, or a JSON text of one; anything that is no id is ignored. */
  input: z.object({ fids: rowIds(100) }),
  output: z.object({ fids: z.array(z.number().int()) }),
});

export const downloadMethod = z.enum(['owned', 'free', 'coupon', 'coin']);

/** Returns what a download would cost, without charging (C-36). */
export const quoteDownload = endpoint({
  method: 'POST',
  path: '/api/doc/downloadQuote',
  summary: '询价：下载这份方案将如何扣费，不产生任何扣费。',
  auth: 'session',
  limit: { perIp: 60, perUser: 120 },
  input: z.object({ fid: rowId }),
  output: z.object({
    method: z.enum(['owned', 'free', 'coupon', 'coin', 'insufficient']),
    cost: z.number().int(),
    balance: z.number().int(),
    balance_after: z.number().int(),
    today_left: z.number().int(),
    month_left: z.number().int(),
    /** What the download itself would answer: 0, 31 or 33. */
    code: z.number().int(),
  }),
});

/** Refusals: 10000, 2, 40, 4, 31 (nothing charged), 33, 60 when `expect` no longer holds. */
export const downloadDocument = endpoint({
  method: 'POST',
  path: '/api/doc/download',
  summary: '下载原文件：首次下载按 已拥有、免费、下载券、喵币 的顺序扣费，之后永久免费。',
  auth: 'session',
  limit: { perIp: 10, perUser: 20 },
  input: z.object({
    fid: rowId,
    /**
     * The charge that the caller agreed to. A value that cannot be read is refused (40), never ignored: the caller
     * meant to limit the charge.
     */
    expect: z.object({ method: z.string(), cost: z.number() }).optional(),
  }),
  output: z.object({
    /** Same-origin path, valid 10 minutes, repeatable, without a credential (C-81). */
    url: z.string(),
    file_name: z.string(),
    /** Bytes. */
    size: z.number().int(),
    sha256: z.string(),
    method: downloadMethod,
    cost: z.number().int(),
    balance: z.number().int(),
    is_vip: z.number().int(),
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
    items: z.array(
      z.object({
        id: z.number().int(),
        /** 客服发放, 充值, 邀请奖励, 下载方案 or 退回. */
        kind_text: z.string(),
        /** Coins; negative when they were spent. */
        amount: z.number().int(),
        /** The document of a download; 0 and "" otherwise, or when it is gone. */
        fid: z.number().int(),
        name: z.string(),
        /** Epoch seconds. */
        create_time: z.number().int(),
      }),
    ),
    count: z.number().int(),
    ...pagedFields,
  }),
});
export type CoinRecord = Answer<typeof listCoinRecords>['items'][number];
