import { z } from 'zod';
import { endpoint } from '../protocol/endpoint.ts';
import { flag, looseInteger, rowId } from '../protocol/fields.ts';
import { pagedFields, pageNumber, pageSize } from '../protocol/paging.ts';
import { CHANNELS, type Channel } from './ports.ts';
import { CHANNEL_TEXT, CHOOSE_CHANNEL, isOpen, PLATFORM } from './rules.ts';

const PAGE_SIZE = 10;

/** The provider's notifications (C-56); the vendor's own form, no envelope. */
export const notifyPath = (channel: Channel) => `/api/pay/notify/${channel}` as const;
/** Server-sent events: `paid` with number and status of an order that money came for. */
export const EVENTS_PATH = '/api/pay/events';
/** Pictures of QR codes, asked for by <img> (C-54). */
export const WECHAT_QR_PATH = '/api/pay/wxOffiaccountQrCode';
export const ALIPAY_QR_PATH = '/api/v2/alipay/generateFaceToFaceQrCode';

const PLATFORMS = Object.values(PLATFORM);
const platform = z
  .literal(PLATFORMS)
  .describe(CHANNELS.map((channel) => `${PLATFORM[channel]} ${CHANNEL_TEXT[channel]}`).join('，'));
const orderStatus = z
  .enum(['created', 'pending', 'closed', 'fulfilled', 'mismatch', 'refunding', 'refunded'])
  .describe(
    'created、pending 待支付，closed 已关闭，fulfilled 已支付并到账，mismatch 已收款，处理中，refunding 退款中，refunded 已退款',
  );

const codeInput = z.object({
  item_id: rowId.describe('价格项 id，见 /api/payItem/getList'),
  file_id: rowId.describe('从哪个方案的页面发起；可省略').meta({ isRequired: false }),
});
const codeOutput = z.object({
  code_uri: z.string().describe('二维码的内容，由客户端绘制'),
  out_trade_no: z.string().describe('订单号，25 位'),
  total_fee: z.number().int().describe('应付金额（分），以下单时的价格为准'),
  pay_platform: platform,
  expire_at: z.number().int().describe('二维码失效时间，秒'),
});
/** Ten orders a minute, for an address and for a user (C-114). */
const CODES_A_MINUTE = { perIp: 10, perUser: 10 };
/** A dialog polls once a second; two dialogs may be open. */
const POLLS_A_MINUTE = { perIp: 120, perUser: 180, isInMemory: true };

/** Each choice makes an order of its own (C-46); the same choice within five minutes returns the same order (C-47). */
export const wxpayQrcode = endpoint({
  method: 'POST',
  path: '/api/pay/wxpayQrcode',
  summary: '微信支付下单，返回二维码内容；5 分钟内再次选择同一商品返回同一订单。',
  auth: 'session',
  input: codeInput,
  output: codeOutput,
  limit: CODES_A_MINUTE,
});

export const alipayQrcode = endpoint({
  method: 'POST',
  path: '/api/pay/alipayQrcode',
  summary: '支付宝下单，返回二维码内容；5 分钟内再次选择同一商品返回同一订单。',
  auth: 'session',
  input: codeInput,
  output: codeOutput,
  limit: CODES_A_MINUTE,
});

const outTradeNo = z
  .string('请提供订单号')
  .trim()
  .min(1, '请提供订单号')
  // What is longer is no order, like any other unknown number.
  .transform((text) => text.slice(0, 65))
  .describe('订单号');

/** A text field of a form, trimmed. */
const text = (message: string) => z.string(message).trim();

const checkInput = z.object({ out_trade_no: outTradeNo });
const checkOutput = z.object({
  trade_state: z
    .enum(['NOTPAY', 'SUCCESS', 'CLOSED', 'REFUND', 'WAIT_BUYER_PAY', 'TRADE_SUCCESS', 'TRADE_CLOSED'])
    .describe(
      '微信订单：NOTPAY、SUCCESS、CLOSED、REFUND；支付宝订单：WAIT_BUYER_PAY、TRADE_SUCCESS、TRADE_CLOSED。到账之后才是 SUCCESS',
    ),
  status: orderStatus,
  status_text: z.string().describe('订单状态的文字'),
});

/** SUCCESS is answered once coins or membership have been credited; an unknown or foreign number answers code 4 (C-49). */
export const checkOrder = endpoint({
  method: 'POST',
  path: '/api/pay/checkOrder',
  summary: '查询订单的支付状态（微信支付；支付宝订单以支付宝的用词回答）。',
  auth: 'session',
  input: checkInput,
  output: checkOutput,
  limit: POLLS_A_MINUTE,
});

export const checkAlipayOrder = endpoint({
  method: 'POST',
  path: '/api/pay/checkAlipayOrder',
  summary: '查询订单的支付状态（支付宝；微信订单以微信支付的用词回答）。',
  auth: 'session',
  input: checkInput,
  output: checkOutput,
  limit: POLLS_A_MINUTE,
});

/** Orders older than 15 minutes do not count, and `data` is a bare number (C-50). */
export const getLastOrderPayStatus = endpoint({
  method: 'POST',
  path: '/api/v2/order/getLastOrderPayStatus',
  summary: '本人该支付方式下 15 分钟内的最新订单是否已支付并到账。',
  auth: 'session',
  input: z.object({
    payPlatform: z
      .union([z.literal(PLATFORMS), z.literal(PLATFORMS.map(String))], CHOOSE_CHANNEL)
      .transform(Number)
      .pipe(platform)
      .describe(platform.description ?? ''),
    out_trade_no: outTradeNo.nullish().describe('只看这一订单'),
    since: looseInteger
      .transform((at) => (at === null || at < 0 || at > 4_102_444_800 ? null : at))
      .describe('只看此时间（秒）起的订单'),
  }),
  output: z.union([z.literal(0), z.literal(1)]).describe('1 已支付，0 未支付'),
  limit: POLLS_A_MINUTE,
});

const invoiceState = z
  .enum(['requested', 'issued', 'refused', 'cancelled', 'voided'])
  .describe(
    'requested 开票中，issued 已开票并发送至邮箱，refused 未通过（可修改后重新申请），cancelled 订单退款后取消，voided 退款后已红冲',
  );

const invoice = z.object({
  status: invoiceState,
  status_text: z.string().describe('发票状态的文字'),
  title: z.string().describe('发票抬头'),
  tax_no: z.string().describe('纳税人识别号；个人抬头为空'),
  email: z.string().describe('接收发票的邮箱，部分隐藏'),
  invoice_no: z.string().describe('发票号码；未开票为空'),
  reason: z.string().describe('未通过的原因；其他状态为空'),
  create_time: z.number().int().describe('申请时间，秒'),
});

const orderItem = z.object({
  id: z.number().int().describe('订单 id'),
  trade_no: z.string().describe('订单号'),
  orderItemName: z.string().describe('商品名称'),
  validMonth: z.number().int().describe('有效期（月）；喵币为 0，界面显示“-”'),
  startDate: z.string().describe('到账日期 YYYY-MM-DD；未到账为空'),
  total_fee: z.number().int().describe('金额（分）'),
  pay_platform: platform,
  status: orderStatus,
  status_text: z.string().describe('订单状态的文字'),
  create_time: z.number().int().describe('下单时间，秒'),
  item_id: z.number().int().describe('价格项 id，继续支付时使用'),
  kind: z.enum(['vip', 'coin']).describe('vip 会员，coin 喵币'),
  expire_at: z.number().int().describe('待支付的订单在此时间（秒）关闭；其他状态为 0'),
  refund_time: z.number().int().describe('退款到账时间，秒；没有退款或尚未到账为 0'),
  refund_elsewhere: flag.describe('款项已经其他方式退回（非原路，例如转账）为 1'),
  refund_reason: z
    .enum(['', 'duplicate', 'mismatch', 'operator'])
    .describe('退款原因：duplicate 重复支付，mismatch 金额不符，operator 客服退款；没有退款为空'),
  invoice: invoice.nullable().describe('发票申请；没有申请过为 null'),
  can_invoice: flag.describe('1 现在可以申请发票'),
  just_paid: flag.describe('1 最近 5 分钟内到账'),
});
export type OrderItem = z.infer<typeof orderItem>;

/** Returns whether `total_fee` of an order is still to be paid; nobody waits for that of a closed one. */
export const isDue = ({ status }: Pick<OrderItem, 'status'>): boolean => isOpen(status);

/** `data` and `items` hold the same rows, for two generations of clients (C-58). */
export const listOrders = endpoint({
  method: 'POST',
  path: '/api/order/list',
  summary: '本人的订单，新的在前。默认只列已付款的订单。',
  auth: 'session',
  input: z.object({
    page: pageNumber,
    pageSize: pageSize(PAGE_SIZE),
    status: z
      .unknown()
      .optional()
      .meta({
        type: 'string',
        enum: ['all', 'chosen'],
        description: 'all：包括未付款的订单；chosen：已付款的订单和仍可支付的订单，不含已关闭的和被后来的选择取代的',
      }),
  }),
  output: z.object({
    data: z.array(orderItem).describe('订单'),
    items: z.array(orderItem).describe('与 data 相同'),
    count: z.number().int().describe('总数'),
    ...pagedFields,
  }),
});

/** One request for each paid order; the operator answers it (C-119). */
export const requestInvoice = endpoint({
  method: 'POST',
  path: '/api/order/invoice',
  summary: '为一笔已支付的订单申请发票；每笔订单一次，未通过的可修改后重新申请。',
  auth: 'session',
  input: z.object({
    out_trade_no: outTradeNo,
    title_type: z
      .unknown()
      .optional()
      .meta({
        type: 'string',
        enum: ['company', 'person'],
        default: 'company',
        description: 'company 企业或单位，person 个人；其他值按 company 处理',
      }),
    title: text('请输入发票抬头').describe('发票抬头，2–100 个字'),
    tax_no: text('请输入纳税人识别号').default('').describe('纳税人识别号，15–20 位大写字母或数字；个人抬头省略'),
    email: text('请输入接收发票的邮箱').describe('接收发票的邮箱'),
  }),
  output: z.object({ out_trade_no: z.string().describe('订单号'), invoice: invoice.describe('登记的发票申请') }),
  limit: { perIp: 10, perUser: 10 },
});
