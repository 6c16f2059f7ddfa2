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
  /** The caller's own, as it was sent; "" while a page is drawn on the server, whose text holds no token. */
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
 * The tiers a member has from now on, the one that counts today first. Both clocks may run: the advanced one counts until
 * it ends, and what the standard one has beyond that comes after it (C-32).
 */
export function termsOf(member: Member): Term[] {
  if (member.vip_last_day === 0) return [];
  const standard = { tier: 1, endAt: member.unlock_end_time, lastDay: member.unlock_end_time_text } as const;
  const advanced = { tier: 2, endAt: member.advanced_end_time, lastDay: member.advanced_end_time_text } as const;
  const latest = Math.max(standard.endAt, advanced.endAt);
  // The days left are of the clock that ends last; the other one has so many fewer.
  const isForLife = (endAt: number) => member.vip_last_day - (latest - endAt) / DAY > LIFETIME_DAYS;
  const terms = member.is_vip === 2 ? [advanced, ...(standard.endAt > advanced.endAt ? [standard] : [])] : [standard];
  return terms.map((term) => ({ ...term, isForLife: isForLife(term.endAt) }));
}

/** 高级会员至 2027-01-01，之后标准会员至 2027-03-01; "" for somebody who is no member. */
export function standingText(member: Member): string {
  const [now, later] = termsOf(member);
  if (!now) return '';
  const text = termText(now);
  return later && !now.isForLife ? `${text}，之后${termText(later)}` : text;
}

const termText = ({ tier, lastDay, isForLife }: Term) =>
  isForLife ? `${TIER_NAMES[tier]}终身有效` : `${TIER_NAMES[tier]}至 ${lastDay}`;

/** 剩 90 天, of all terms together (C-32); 终身 where one of them is for life; "" for somebody who is no member. */
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

/**
 * Which of the documents of a list the caller owns (C-34). Lists of documents are the same for everybody; this says
 * beside them what is the caller's own.
 */
export const listOwned = endpoint({
  method: 'POST',
  path: '/api/doc/ownedList',
  summary: '所给方案中当前用户已购的，再次下载不扣费；一次至多 100 份。',
  auth: 'session',
  limit: { perIp: 120, perUser: 240, isInMemory: true },
  /** An array of ids, or the same as a JSON text; what is no id is passed over. */
  input: z.object({ fids: rowIds(100) }),
  output: z.object({ fids: z.array(z.number().int()) }),
});

export const downloadMethod = z.enum(['owned', 'free', 'coupon', 'coin']);

/** Asks what a download would do, and does nothing (C-36). */
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
    /** A guard that cannot be read is refused (40), never ignored: the caller meant to limit the charge. */
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

/** The member's own side of the ledger, newest first; 10 a page (§9). */
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
