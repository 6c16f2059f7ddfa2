import { createFaultScripts, type FaultScripts } from '../fault-scripts.ts';
import type { AlipayCall, FaultScript } from './faults.ts';
import { newKeyPair, type KeyPair } from './signing.ts';
import { digits } from '../random-text.ts';

/** A code to scan, which a merchant asked for by `precreate`. The trade is created when somebody scans the code. */
export type Code = {
  outTradeNo: string;
  /** The content of the QR code. */
  qrCode: string;
  totalFen: number;
  subject: string;
  notifyUrl: string;
  createdAt: number;
  /** Until then the code can be scanned, and the trade be paid. */
  expiresAt: number;
  /** Distinguishes a repeated request from a different one for the same number. */
  terms: string;
};

type TradeStatus = 'WAIT_BUYER_PAY' | 'TRADE_SUCCESS' | 'TRADE_FINISHED' | 'TRADE_CLOSED';
export type Refund = { requestNo: string; fen: number; reason: string; at: number };

/** `buyer`: key of the person who scanned the code. */
export type Trade = {
  outTradeNo: string;
  tradeNo: string;
  status: TradeStatus;
  totalFen: number;
  subject: string;
  notifyUrl: string;
  buyer: string;
  createdAt: number;
  expiresAt: number;
  paidAt: number | null;
  closedAt: number | null;
  refunds: Refund[];
};

/** One attempt to tell the site about a trade. `status`: null when there was no answer. */
export type Attempt = { notifyId: string; at: number; status: number | null; isAcknowledged: boolean };

/**
 * Alipay, as far as one merchant sees it. `codes` and `trades` are the truth that a test compares the site's orders
 * with.
 */
export type Alipay = {
  appId: string;
  sellerId: string;
  merchant: string;
  /** The merchant's keys: the site holds the private one. */
  app: KeyPair;
  /** Alipay's own keys. The first signs; the second takes over at the next rotation, and the site was told of it. */
  keys: [KeyPair, KeyPair];
  codes: Map<string, Code>;
  trades: Map<string, Trade>;
  attempts: Map<string, Attempt[]>;
  faults: FaultScripts<AlipayCall, FaultScript>;
  /** Milliseconds by which Alipay's clock is ahead of this machine's. */
  skewMs: number;
  /** Factor on the waits between attempts to notify: a thousandth, so that 4 minutes are 240 ms. */
  retryScale: number;
  /** Tokens of download addresses of bills, with the day they are for. */
  bills: Map<string, { day: string; expiresAt: number }>;
  /** A notification that is held back until another one was sent. */
  held: (() => Promise<unknown>)[];
  /** Set when this world ends, so that no retry is sent after that. */
  ending: AbortController;
};

export function createAlipay(): Alipay {
  return {
    appId: `2021${digits(12)}`,
    sellerId: `2088${digits(12)}`,
    merchant: '策库科技（演示商户）',
    app: newKeyPair(),
    keys: [newKeyPair(), newKeyPair()],
    codes: new Map(),
    trades: new Map(),
    attempts: new Map(),
    faults: createFaultScripts(({ call }) => call),
    skewMs: 0,
    retryScale: 0.001,
    bills: new Map(),
    held: [],
    ending: new AbortController(),
  };
}

/** The account as Alipay's console shows it to the merchant. `apiUrl`: where the gateway is, without its path. */
export const alipayAccountOf = (alipay: Alipay, apiUrl: string) => ({
  appId: alipay.appId,
  sellerId: alipay.sellerId,
  privateKey: alipay.app.privateText,
  alipayPublicKeys: alipay.keys.map((pair) => pair.publicText),
  apiUrl,
});

/** The buyer's account number, which follows from the person. */
export const buyerOf = (trade: Trade) =>
  `2088${[...trade.buyer]
    .map((sign) => sign.charCodeAt(0) % 10)
    .join('')
    .padEnd(12, '0')
    .slice(0, 12)}`;

export const nowOf = (alipay: Alipay) => Date.now() + alipay.skewMs;

/** Signs with the second key from now on; the site learns of another new key from the console alone. */
export function rotateKey(alipay: Alipay): { publicKey: string; nextPublicKey: string } {
  alipay.keys = [alipay.keys[1], newKeyPair()];
  return { publicKey: alipay.keys[0].publicText, nextPublicKey: alipay.keys[1].publicText };
}

const SHANGHAI_MS = 8 * 3_600_000;
/** `yyyy-MM-dd HH:mm:ss` in Asia/Shanghai, which has no summer time. */
export const shanghaiTime = (at: number) => new Date(at + SHANGHAI_MS).toISOString().slice(0, 19).replace('T', ' ');

/** Epoch milliseconds of such a text; NaN for any other. */
export const readShanghaiTime = (text: string) =>
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text) ? Date.parse(`${text.replace(' ', 'T')}Z`) - SHANGHAI_MS : Number.NaN;

export const yuan = (fen: number) =>
  `${fen < 0 ? '-' : ''}${Math.floor(Math.abs(fen) / 100)}.${String(Math.abs(fen) % 100).padStart(2, '0')}`;

/** Integer fen of an amount with at most two decimals, 0.01 to 100000000; NaN for any other text. */
export function readYuan(text: unknown): number {
  if (typeof text !== 'string' || !/^\d{1,9}(\.\d{1,2})?$/.test(text)) return Number.NaN;
  const [whole = '', decimals = ''] = text.split('.');
  const fen = Number(whole) * 100 + Number(decimals.padEnd(2, '0'));
  return fen >= 1 && fen <= 10_000_000_000 ? fen : Number.NaN;
}
