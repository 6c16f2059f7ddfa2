import type { Member } from '../../contract.ts';
import { COUPONS_A_DAY, DOWNLOADS_A_MONTH, READS_A_MONTH } from '../../rules.ts';
import { formatNumber } from '../../../protocol/format-number.ts';

/** The rights of everybody without a membership: results of a search (C-37), pages of each document (§9), how one downloads. */
export const ORDINARY_RIGHTS = [
  { name: '搜索结果', right: '每次前 10 条' },
  { name: '在线阅读', right: '每份前 10 页' },
  { name: '方案下载', right: '使用喵币' },
] as const;

/** A quota as the page shows it: 今日下载券 7 / 20 张, 剩 13 张. */
type Meter = { name: string; used: number; limit: number; unit: string; note: string; isUsedUp: boolean };

/** Returns the meters of a member: coupons of the day, downloads and reads of the month. None for an ordinary user. */
export function metersOf(member: Member): Meter[] {
  if (member.is_vip === 0) return [];
  const nextMonth = '本月已用完，下月 1 日恢复';
  const today = { used: member.today_used, limit: COUPONS_A_DAY, left: member.today_left };
  const month = { used: member.month_used, limit: DOWNLOADS_A_MONTH[member.is_vip], left: member.month_left };
  const reads = { used: member.read_month_used, limit: READS_A_MONTH[member.is_vip], left: member.read_month_left };
  return [
    meter('今日下载券', '张', today, month.left === 0 ? nextMonth : '今日已用完，明日 0 点恢复'),
    meter('本月免费下载', '份', month, nextMonth),
    meter('本月阅读', '份', reads, nextMonth),
  ];
}

type Count = { used: number; limit: number; left: number };

function meter(name: string, unit: string, { used, limit, left }: Count, whenUsedUp: string): Meter {
  const isUsedUp = left === 0;
  return {
    name,
    used,
    limit,
    unit,
    note: isUsedUp ? whenUsedUp : `剩 ${formatNumber(left)} ${unit}`,
    isUsedUp,
  };
}
