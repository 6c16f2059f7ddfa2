import { zipSync } from 'fflate';
import { Hono } from 'hono';
import type { Env } from '../answer.ts';
import type { World } from '../world.ts';
import { nowOf, shanghaiTime, yuan, type Alipay, type Trade } from './alipay.ts';
import { faultBefore } from './answers.ts';
import { gbkOf } from './gbk.ts';
import { letters } from '../random-text.ts';

/** How long a download address works. */
const ADDRESS_MS = 30_000;
const LINE = '-'.repeat(41);
const COLUMNS =
  '支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,' +
  '支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,' +
  '退款批次号/请求号,服务费（元）,分润（元）,备注';

/** Returns where the bill of that day can be loaded from; null for today, later days, and a day without any business. */
export function billAddress(world: World, day: string): string | null {
  const { alipay } = world;
  const now = nowOf(alipay);
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || day >= shanghaiTime(now).slice(0, 10)) return null;
  if (linesOf(alipay, day).length === 0) return null;
  const token = letters(40);
  alipay.bills.set(token, { day, expiresAt: now + ADDRESS_MS });
  return `${world.url}/alipay/bill/download?token=${token}&fileType=csv.zip`;
}

/** Sends a bill: a ZIP with two CSV files in GBK, whose names are in GBK as well: every movement of money, and the sums. */
export function alipayBills(world: World) {
  const { alipay } = world;
  return new Hono<Env>().get('/alipay/bill/download', async (c) => {
    const script = alipay.faults.take('bill');
    const early = await faultBefore(c, script);
    if (early) return early;
    const asked = alipay.bills.get(c.req.query('token') ?? '');
    if (!asked || asked.expiresAt < nowOf(alipay)) return c.text('下载链接已失效', 403);
    const zip = script?.fault === 'huge' ? new Uint8Array(80_000_000) : billOf(alipay, asked.day);
    return c.body(zip, 200, { 'content-type': 'application/zip' });
  });
}

function billOf(alipay: Alipay, day: string): Uint8Array<ArrayBuffer> {
  const lines = linesOf(alipay, day);
  const name = `${alipay.sellerId}0156_${day.replaceAll('-', '')}_业务明细`;
  const [payments, refunds] = [lines.filter(({ fen }) => fen > 0), lines.filter(({ fen }) => fen < 0)];
  const sum = (some: Line[]) => yuan(some.reduce((total, { fen }) => total + fen, 0));
  const head = (title: string) => [
    `#${title}`,
    `#账号：[${alipay.sellerId}0156]`,
    `#起始日期：[${chineseDay(day)} 00:00:00]   终止日期：[${chineseDay(dayAfter(day))} 00:00:00]`,
  ];
  const details = [
    ...head('支付宝业务明细查询'),
    `#${LINE}业务明细列表${LINE.slice(1)}`,
    COLUMNS,
    ...lines.map(textOf),
    `#${LINE}业务明细列表结束${LINE.slice(5)}`,
    `#交易合计：${payments.length}笔，商家实收共${sum(payments)}元，商家优惠共0.00元`,
    `#退款合计：${refunds.length}笔，商家实收退款共${sum(refunds)}元，商家优惠退款共0.00元`,
    `#导出时间：[${chineseDay(dayAfter(day))} 05:46:49]`,
  ];
  const summary = [
    ...head('支付宝业务汇总查询'),
    `#${LINE}业务汇总列表${LINE.slice(1)}`,
    '门店编号,门店名称,交易订单总笔数,退款订单总笔数,订单金额（元）,商家实收（元）,支付宝优惠（元）,商家优惠（元）,卡消费金额（元）,服务费（元）,分润（元）,实收净额（元）',
    `合计\t,\t,${payments.length},${refunds.length},${sum(lines)},${sum(lines)},0.00,0.00,0.00,0.00,0.00,${sum(lines)}`,
    `#${LINE}业务汇总列表结束${LINE.slice(5)}`,
  ];
  const zipped = zipSync({
    [latin1(`${name}.csv`)]: gbkOf(`${details.join('\r\n')}\r\n`),
    [latin1(`${name}(汇总).csv`)]: gbkOf(`${summary.join('\r\n')}\r\n`),
  });
  return new Uint8Array(zipped);
}

/** The library writes names in UTF-8; what matters is that a reader does not find the file by its Chinese name. */
const latin1 = (name: string) => gbkOf(name).toString('latin1');

/** One movement of money; negative when it went back. */
type Line = { trade: Trade; fen: number; at: number; requestNo: string };

/** The movements of the day in Shanghai, as they happened. */
function linesOf(alipay: Alipay, day: string): Line[] {
  const lines: Line[] = [...alipay.trades.values()].flatMap((trade) => [
    ...(trade.paidAt === null ? [] : [{ trade, fen: trade.totalFen, at: trade.paidAt, requestNo: '' }]),
    ...trade.refunds.map(({ requestNo, fen, at }) => ({ trade, fen: -fen, at, requestNo })),
  ]);
  return lines.filter(({ at }) => shanghaiTime(at).startsWith(day)).toSorted((a, b) => a.at - b.at);
}

/** A tab behind each text keeps spreadsheet programs from making numbers of them. */
function textOf({ trade, fen, at, requestNo }: Line): string {
  const amount = yuan(fen);
  const texts = [trade.tradeNo, trade.outTradeNo, fen > 0 ? '交易' : '退款'].map((text) => `${text}\t`).join(',');
  const times = `${shanghaiTime(trade.createdAt)},${shanghaiTime(at)}`;
  const sums = `${amount},${amount},0.00,0.00,0.00,0.00,0.00,,0.00\t,0.00`;
  return `${texts},${trade.subject},${times},\t,\t,\t,\t,*策(159****5620)\t,${sums},${requestNo}\t,0.00,0.00,`;
}

const chineseDay = (day: string) => day.replace(/^(\d+)-(\d+)-(\d+)$/, '$1年$2月$3日');
const dayAfter = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
