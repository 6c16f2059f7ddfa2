import { CODE } from '../../../protocol/codes.ts';
import { priceText } from '../../../ui/text/format-text.ts';
import type { Answer } from '../../../protocol/endpoint.ts';
import type { quoteDownload } from '../../contract.ts';
import { quotaDay } from './ways-out-text.ts';
import { formatNumber } from '../../../protocol/format-number.ts';

export type Quote = Answer<typeof quoteDownload>;

/** `done` costs nothing, `plain` costs something, `short` cannot be paid. */
type QuoteText = { main: string; note: string; tone: 'done' | 'plain' | 'short' };

const coins = (amount: number) => `${formatNumber(amount)} 喵币`;

/**
 * Returns what a press on 立即下载 will do, shown before the press (C-36). With `quote` null the text is the price, as
 * visitors see it.
 */
export function quoteText(quote: Quote | null, price: number, isMember: boolean): QuoteText {
  if (!quote)
    return { main: priceText(price), note: price > 0 ? 'VIP免费下载' : '', tone: price > 0 ? 'plain' : 'done' };
  const balance = `余额 ${formatNumber(quote.balance)}`;
  switch (quote.method) {
    case 'owned':
      return { main: '已购，可再次下载', note: '', tone: 'done' };
    case 'free':
      return { main: '免费', note: '', tone: 'done' };
    case 'coupon':
      return { main: '将使用 1 张下载券', note: `剩 ${quote.today_left} 张`, tone: 'done' };
    case 'coin':
      return { main: coins(quote.cost), note: balance, tone: 'plain' };
    case 'insufficient':
      return { main: coins(quote.cost), note: `${balance}，${shortage(quote, isMember)}`, tone: 'short' };
  }
}

/** Returns the text of `quoteText` in the two short lines that the bar of a phone has. */
export function barText(quote: Quote | null, text: QuoteText): QuoteText {
  if (quote?.method === 'coupon') return { ...text, main: '1 张下载券' };
  const missing = quote?.method === 'insufficient' ? quote.cost - quote.balance : 0;
  return missing > 0 ? { ...text, note: `还差 ${formatNumber(missing)}` } : text;
}

function shortage(quote: Quote, isMember: boolean): string {
  if (quote.code === CODE.downloadLimit) return '本月免费下载已用完';
  return isMember ? '今日下载券已用完' : '不足';
}

/** Returns 免费下载 11月23日 00:00 恢复 where a member pays coins until then; "" otherwise. */
export const quotaNote = (quote: Quote | null): string =>
  quote && quote.free_at_text !== '' ? `免费下载 ${quotaDay(quote.free_at_text)} 恢复` : '';

/** Returns the label of the button. */
export function buttonText(quote: Quote | null): string {
  if (quote?.method === 'owned') return '再次下载';
  if (quote?.method !== 'insufficient') return '立即下载';
  const missing = quote.cost - quote.balance;
  return missing > 0 ? `充值后下载（还差 ${coins(missing)}）` : '充值后下载';
}

/** Returns the label of a button that stands alone: what the press costs is part of it. */
export function pricedButtonText(quote: Quote | null, price: number): string {
  switch (quote?.method) {
    case 'owned':
    case 'insufficient':
      return buttonText(quote);
    case 'coupon':
      return '立即下载（用 1 张下载券）';
    case 'free':
      return '免费下载';
    case 'coin':
      return `立即下载（${coins(quote.cost)}）`;
    case undefined:
      return price > 0 ? `立即下载（${coins(price)}）` : '免费下载';
  }
}

/** Returns what a download costs this reader, as the cards say it: 已购, 免费, VIP 免费, 12 喵币 · VIP 免费. */
export function costTag(quote: Quote | null, price: number): string {
  if (quote?.method === 'owned') return '已购';
  if (quote?.method === 'coupon') return 'VIP 免费';
  if (price === 0) return '免费';
  return quote && quote.is_vip > 0 ? coins(price) : `${coins(price)} · VIP 免费`;
}

/** Returns the only question that a download asks (C-36). */
export const coinQuestion = (quote: Quote) => `将消耗 ${coins(quote.cost)}，当前余额 ${formatNumber(quote.balance)}`;
