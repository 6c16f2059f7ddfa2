import { conflict, invalid } from '../protocol/envelope.ts';
import type { OrderStatus } from './rules.ts';

/** `company`: a title with a tax number. `person`: a name alone. */
export type InvoiceKind = 'company' | 'person';

/** The states of a request as they are stored. */
export type StoredInvoiceState = 'requested' | 'issued' | 'refused' | 'voided';

/** The state that the buyer sees: `cancelled` when the order was refunded before the operator answered. */
type InvoiceState = StoredInvoiceState | 'cancelled';

export const INVOICE_TEXT: Record<InvoiceState, string> = {
  requested: '开票中',
  issued: '已开票',
  refused: '未通过',
  cancelled: '已取消',
  voided: '已红冲',
};

/** Returns the state of a request beside its order. No invoice is issued for money that goes back. */
export function invoiceStateOf(stored: StoredInvoiceState, order: OrderStatus): InvoiceState {
  return stored === 'requested' && order !== 'fulfilled' ? 'cancelled' : stored;
}

/** Returns whether the buyer may ask for an invoice now: of a paid order, once; again after a refusal. */
export const mayRequestInvoice = (order: OrderStatus, invoice: InvoiceState | null): boolean =>
  order === 'fulfilled' && (invoice === null || invoice === 'refused');

export const TITLE_CHARACTERS = 100;
const EMAIL_CHARACTERS = 100;
const TAX_NO = /^[0-9A-Z]{15,20}$/;
const EMAIL = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;

/** The fields of the form. */
export type InvoiceFields = { kind: InvoiceKind; title: string; taxNo: string; email: string };
export type InvoiceField = Exclude<keyof InvoiceFields, 'kind'>;

/** Returns what is wrong with each field, in the order of the form; an empty list for a request that can be sent. */
export function invoiceErrors({
  kind,
  title,
  taxNo,
  email,
}: InvoiceFields): { field: InvoiceField; message: string }[] {
  const errors = [
    { field: 'title' as const, message: titleError(title) },
    { field: 'taxNo' as const, message: kind === 'company' ? taxNoError(taxNo) : null },
    { field: 'email' as const, message: emailError(email) },
  ];
  return errors.flatMap(({ field, message }) => (message === null ? [] : [{ field, message }]));
}

function titleError(title: string): string | null {
  if (title === '') return '请输入发票抬头';
  const length = [...title].length;
  if (length < 2 || length > TITLE_CHARACTERS) return `发票抬头应为 2–${TITLE_CHARACTERS} 个字`;
  // Characters that no registered name has: PostgreSQL or a terminal would refuse or obey them, and gaps or invisible
  // characters would imitate the columns of the operator's list.
  return /[\p{C}\p{DI}\u2800<>]|(?! )\p{Z}| {2}/u.test(title) ? '发票抬头含有不能使用的字符' : null;
}

function taxNoError(taxNo: string): string | null {
  if (taxNo === '') return '请输入纳税人识别号';
  return TAX_NO.test(taxNo) ? null : '纳税人识别号应为 15–20 位大写字母或数字';
}

function emailError(email: string): string | null {
  if (email === '') return '请输入接收发票的邮箱';
  return email.length <= EMAIL_CHARACTERS && EMAIL.test(email) ? null : '请输入正确的邮箱地址';
}

/** Returns what a person typed or pasted, without the invisible characters that chat programs and documents put around copied text. */
export const cleanText = (text: string): string => text.replace(/\p{Cf}/gu, '').trim();

/** Returns a tax number as it is registered, from what a person typed or pasted: full-width, lower-case, with spaces. */
export const cleanTaxNo = (text: string): string =>
  cleanText(text).normalize('NFKC').replace(/[\s-]/g, '').toUpperCase();

/** Returns the first character and the host of an address: c***@example.com. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return at < 1 ? '' : `${email.slice(0, 1)}***${email.slice(at)}`;
}

/** Returns whether an address is masked itself. Nobody is reached at it. */
export const isMasked = (email: string): boolean => email !== '' && maskEmail(email) === email;

/** An invoice number of the tax authority: 20 digits of the electronic ones, 8 or 12 of the older ones. */
export const isInvoiceNo = (text: string) => /^\d{8}$|^\d{12}$|^\d{20}$/.test(text);

const WIRE_NAMES = { title: 'title', taxNo: 'tax_no', email: 'email' } as const satisfies Record<InvoiceField, string>;

/** Returns the field that the data of an `invalid` answer names; null for any other data. */
export function fieldOfWire(data: unknown): InvoiceField | null {
  if (typeof data !== 'object' || data === null || !('field' in data)) return null;
  const { field } = data;
  if (field === 'title' || field === 'email') return field;
  return field === 'tax_no' ? 'taxNo' : null;
}

export const invoiceInvalid = ({ field, message }: { field: InvoiceField; message: string }) =>
  invalid(message, WIRE_NAMES[field]);
/** A buyer who asks again changed the masked address of the refused request in part. */
export const emailMasked = () => invoiceInvalid({ field: 'email', message: '请重新填写完整的邮箱' });
export const invoiceRequested = () => conflict('该订单已申请过发票，请勿重复提交');

/** Returns the refusal for an order that no invoice can be asked for; null for a paid one. */
export function orderWithoutInvoice(order: OrderStatus) {
  switch (order) {
    case 'created':
    case 'pending':
    case 'closed':
      return conflict('订单尚未支付，支付成功后才能申请发票');
    case 'mismatch':
      return conflict('订单正在处理中，到账后才能申请发票');
    case 'refunding':
    case 'refunded':
      return conflict('该订单已退款，不能申请发票');
    case 'fulfilled':
      return null;
  }
}
