import { yuan } from '../../../ui/text/format-text.ts';
import type { WaysOut } from '../../contract-ways-out.ts';
import { COUPONS_A_DAY, DOWNLOADS_A_MONTH, READS_A_MONTH } from '../../rules.ts';
import type { Wanted } from '../../ways-out.ts';
import type { PurchaseWanted } from '../prices/purchase.tsx';
import { formatNumber } from '../../../protocol/format-number.ts';

/** One way out of a refusal. `side` stands at the end of the line; `buy` is what the pay dialog opens with, null for a way that is not bought. */
export type Way = { main: string; note: string; side: string; buy: PurchaseWanted | null };

/** Where plans are compared. */
export const PLANS_PAGE = '/aboutVip';

/**
 * Returns the ways out of a refusal in words, the nearest first: a download that is paid already, coins, a plan, and the
 * day on which the free quota returns (§8, C-42).
 */
export function waysText(wanted: Wanted, ways: Omit<WaysOut, 'download'> & Partial<Pick<WaysOut, 'download'>>): Way[] {
  return [
    wanted === 'reading' ? downloadWay(ways) : null,
    // A member with coupons needs no coins: the download is the way.
    wanted === 'reading' && ways.download !== 'insufficient' ? null : coinsWay(ways),
    planWay(wanted, ways),
    quotaWay(wanted, ways),
  ].filter((way) => way !== null);
}

type Ways = Parameters<typeof waysText>[1];

const DOWNLOAD_NOTES: Partial<Record<WaysOut['download'], string>> = { free: '免费', coupon: '使用 1 张下载券' };

function downloadWay({ download, cost, balance }: Ways): Way | null {
  const side = download === 'coin' ? `${formatNumber(cost)} 喵币` : download && DOWNLOAD_NOTES[download];
  if (!side) return null;
  const note = download === 'coin' ? `当前余额 ${formatNumber(balance)}` : '';
  return { main: '下载后永久可读', note, side, buy: null };
}

function coinsWay({ missing, cost, balance, pack, pack_count: packs }: Ways): Way | null {
  if (missing === 0) return null;
  const note = `价格 ${formatNumber(cost)}，余额 ${formatNumber(balance)}`;
  const main = `还差 ${formatNumber(missing)} 喵币`;
  const buy = { kind: 'coin', missingCoins: missing } as const;
  if (!pack) return { main, note, side: '', buy };
  const times = packs > 1 ? ` × ${packs}` : '';
  return {
    main,
    note,
    side: `¥${yuan(pack.price)} 得 ${formatNumber(pack.coins)} 喵币${times}`,
    buy: { ...buy, itemId: pack.id },
  };
}

function planWay(wanted: Wanted, { vip, is_vip: tier }: Ways): Way | null {
  if (vip?.tier !== 1 && vip?.tier !== 2) return null;
  const upgrade = wanted === 'chart' && tier === 0 ? '开通高级会员' : '升级高级会员';
  const main = tier === 0 && wanted !== 'chart' ? '开通会员' : upgrade;
  return {
    main,
    note: planNote(wanted, vip.tier, tier),
    side: `¥${yuan(vip.price)} 起`,
    buy: { kind: 'vip', itemId: vip.id },
  };
}

function planNote(wanted: Wanted, plan: 1 | 2, tier: WaysOut['is_vip']): string {
  if (wanted === 'chart') return '图表的数字与原图';
  if (wanted === 'reading') return `每月可读 ${formatNumber(READS_A_MONTH[plan])} 份全文`;
  return tier === 0 ? `每天 ${COUPONS_A_DAY} 张下载券` : `每月 ${DOWNLOADS_A_MONTH[plan]} 次免费下载`;
}

function quotaWay(wanted: Wanted, { free_at_text: at }: Ways): Way | null {
  if (at === '') return null;
  return { main: wanted === 'reading' ? '阅读次数恢复' : '免费下载恢复', note: '', side: quotaDay(at), buy: null };
}

/** Returns 12月1日 00:00 for 2026-12-01 00:00, as `free_at_text` has it. */
export const quotaDay = (at: string): string =>
  at.replace(/^\d+-0?(\d+)-0?(\d+) /, (_, month: string, day: string) => `${month}月${day}日 `);
