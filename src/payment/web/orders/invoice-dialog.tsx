import { useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { call } from '../../../accounts/web/call.ts';
import { useSending } from '../../../accounts/web/login/use-sending.ts';
import { CODE } from '../../../protocol/codes.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { CopyButton } from '../../../ui/feedback/copy-button.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { Sheet } from '../../../ui/feedback/sheet.tsx';
import { toast } from '../../../ui/feedback/toast.tsx';
import { momentText } from '../../../ui/text/format-text.ts';
import { requestInvoice, type OrderItem } from '../../contract.ts';
import {
  cleanTaxNo,
  cleanText,
  fieldOfWire,
  invoiceErrors,
  TITLE_CHARACTERS,
  type InvoiceField,
  type InvoiceFields,
  type InvoiceKind,
} from '../../invoice-rules.ts';
import { Facts, type Fact } from './facts.tsx';
import styles from './invoice-dialog.module.css';
import { amountText } from './order-text.ts';

/** Shows the invoice of an order: the form to ask for it, or what became of the request. */
export function InvoiceDialog(props: { order: OrderItem | null; onClose: () => void }) {
  const { order, onClose } = props;
  if (!order) return null;
  const isForm = order.can_invoice === 1;
  return (
    <Sheet title={isForm ? '申请发票' : '发票信息'} onClose={onClose}>
      {isForm ? <InvoiceForm order={order} onDone={onClose} /> : <InvoiceFacts order={order} />}
    </Sheet>
  );
}

const KINDS: { kind: InvoiceKind; name: string }[] = [
  { kind: 'company', name: '企业或单位' },
  { kind: 'person', name: '个人' },
];

function InvoiceForm({ order, onDone }: { order: OrderItem; onDone: () => void }) {
  const { revalidate } = useRevalidator();
  const { isSending, send } = useSending();
  const refused = order.invoice;
  const [fields, setFields] = useState<InvoiceFields>({
    kind: refused?.tax_no === '' ? 'person' : 'company',
    title: refused?.title ?? '',
    taxNo: refused?.tax_no ?? '',
    email: refused?.email ?? '',
  });
  const [errors, setErrors] = useState<Partial<Record<InvoiceField, string>>>({});
  const form = useRef<HTMLFormElement>(null);

  const set = (changed: Partial<InvoiceFields>) => {
    setFields({ ...fields, ...changed });
    // Only the changed fields lose their error.
    setErrors(Object.fromEntries(Object.entries(errors).filter(([field]) => !(field in changed))));
  };
  const mark = (found: { field: InvoiceField; message: string }[]) => {
    setErrors(Object.fromEntries(found.map(({ field, message }) => [field, message])));
    const [first] = found;
    const field = first && form.current?.elements.namedItem(first.field);
    if (field instanceof HTMLInputElement) field.focus();
  };
  const submit = send(async () => {
    const { kind, title, taxNo, email } = cleaned(fields);
    const found = invoiceErrors({ kind, title, taxNo, email });
    if (found.length > 0) return mark(found);
    const tax = kind === 'person' ? '' : taxNo;
    const reply = await call(requestInvoice, {
      out_trade_no: order.trade_no,
      title_type: kind,
      title,
      tax_no: tax,
      email,
    });
    const field = fieldOfWire(reply.data);
    if (reply.code === CODE.invalid && field) return mark([{ field, message: reply.message }]);
    if (reply.code !== CODE.ok) toast.warning(reply.message);
    if (reply.code !== CODE.ok && reply.code !== CODE.conflict) return;
    // 60: the order has changed meanwhile, and the list shows how it stands.
    await revalidate();
    onDone();
    if (reply.code === CODE.ok) toast.success(reply.message);
  });

  return (
    <form ref={form} className={styles['form']} onSubmit={submit} noValidate>
      <OrderFact order={order} />
      {refused && (
        <p className={styles['refused']} role="note">
          上次申请未通过：{refused.reason}
        </p>
      )}
      <fieldset className={styles['kinds']}>
        <legend>抬头类型</legend>
        {KINDS.map(({ kind, name }) => (
          <label key={kind} className={styles['kind']}>
            <input
              type="radio"
              name="kind"
              checked={fields.kind === kind}
              onChange={() => set({ kind, taxNo: fields.taxNo })}
            />
            {name}
          </label>
        ))}
      </fieldset>
      <TextField
        label={fields.kind === 'company' ? '发票抬头' : '姓名'}
        name="title"
        autoComplete={fields.kind === 'company' ? 'organization' : 'name'}
        maxLength={TITLE_CHARACTERS}
        placeholder={fields.kind === 'company' ? '营业执照上的单位全称' : ''}
        value={fields.title}
        error={errors.title}
        onChange={(event) => set({ title: event.currentTarget.value })}
        data-autofocus
      />
      {fields.kind === 'company' && (
        <TextField
          label="纳税人识别号"
          name="taxNo"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
          placeholder="15–20 位大写字母或数字"
          value={fields.taxNo}
          error={errors.taxNo}
          onChange={(event) => set({ taxNo: event.currentTarget.value })}
          onBlur={() => setFields((typed) => ({ ...typed, taxNo: cleanTaxNo(typed.taxNo) }))}
        />
      )}
      <TextField
        label="接收邮箱"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        maxLength={100}
        description={errors.email ? null : '电子发票开好后发送到此邮箱'}
        value={fields.email}
        error={errors.email}
        onChange={(event) => set({ email: event.currentTarget.value })}
        // The mask of the earlier address cannot be corrected, only kept or typed over.
        onFocus={(event) => fields.email === refused?.email && event.currentTarget.select()}
      />
      <Button type="submit" look="primary" size="large" disabled={isSending}>
        {isSending ? '提交中…' : '提交申请'}
      </Button>
      <p className={styles['note']}>每笔订单可申请一次电子普通发票，请核对后提交。</p>
    </form>
  );
}

const cleaned = ({ kind, title, taxNo, email }: InvoiceFields): InvoiceFields => ({
  kind,
  title: cleanText(title),
  taxNo: cleanTaxNo(taxNo),
  email: cleanText(email),
});

function OrderFact({ order }: { order: OrderItem }) {
  return (
    <p className={styles['order']}>
      <span>{order.orderItemName}</span>
      <b>{amountText(order)}</b>
    </p>
  );
}

const WORDS: Record<NonNullable<OrderItem['invoice']>['status'], string> = {
  requested: '申请已提交，开好后发送到接收邮箱，并在这里显示发票号码。',
  issued: '电子发票已发送到接收邮箱。没有收到时，请先查看垃圾邮件，再联系客服补发。',
  refused: '',
  cancelled: '订单已退款，这次申请已取消，没有开具发票。',
  voided: '订单已退款，这张发票已红冲作废，请勿入账。',
};

function InvoiceFacts({ order }: { order: OrderItem }) {
  const { invoice } = order;
  if (!invoice) return null;
  const { invoice_no: number } = invoice;
  const facts: Fact[] = [
    ['状态', invoice.status_text],
    ['发票抬头', invoice.title],
    ['纳税人识别号', invoice.tax_no],
    ['接收邮箱', invoice.email],
    ['申请时间', momentText(invoice.create_time)],
    [
      '发票号码',
      number && (
        <span className={styles['number']}>
          {number}
          <CopyButton value={number} label="复制发票号码" />
        </span>
      ),
    ],
  ];
  return (
    <>
      <OrderFact order={order} />
      <p className={styles['words']}>{WORDS[invoice.status]}</p>
      <Facts facts={facts} className={styles['facts']} />
    </>
  );
}
