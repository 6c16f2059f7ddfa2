import { call } from '../../accounts/web/call.ts';
import { Button } from '../../ui/controls/button.tsx';
import { SelectField, TextArea, TextField } from '../../ui/controls/text-field.tsx';
import { requestPrivacy } from '../contract.ts';
import { cleanText, LENGTHS, PRIVACY_KINDS, privacyErrors, type PrivacyFields } from '../rules.ts';
import styles from './legal-form.module.css';
import { Receipt } from './receipt.tsx';
import { useLegalForm } from './use-legal-form.ts';

const EMPTY: PrivacyFields = { type: '', contact: '', content: '' };
const CHOICES = [['', '请选择'], ...Object.entries(PRIVACY_KINDS)] as const;

const cleaned = (fields: PrivacyFields): PrivacyFields => ({
  ...fields,
  contact: cleanText(fields.contact),
  content: cleanText(fields.content),
});

/** The form of a request about personal data (C-105). A request of somebody who is logged in is linked to the account. */
export function PrivacyForm() {
  const { form, field, isSending, onSubmit, receipt, again } = useLegalForm({
    empty: EMPTY,
    check: (typed: PrivacyFields) => privacyErrors(cleaned(typed)),
    submit: (typed) => call(requestPrivacy, cleaned(typed)),
  });
  if (receipt)
    return (
      <Receipt title="请求已收到" number={receipt.receipt_no} again="再提交一份" onAgain={again}>
        <p>
          我们核实您的身份后处理，最迟在 <time dateTime={receipt.due_date}>{receipt.due_date}</time>（15
          个工作日内）答复到您填写的联系方式。
        </p>
      </Receipt>
    );
  return (
    <form ref={form} className={styles['form']} onSubmit={onSubmit} noValidate aria-label="个人信息请求表单">
      <noscript>
        <p className={styles['note']}>在线提交需要启用 JavaScript；您也可以发送邮件或致电。</p>
      </noscript>
      <div className={styles['pair']}>
        <SelectField label="请求的类型" {...field('type')} choices={CHOICES} />
        <TextField
          label="联系方式"
          {...field('contact')}
          maxLength={LENGTHS.contact}
          placeholder="接收答复的手机号或邮箱"
          autoComplete="email"
        />
      </div>
      <TextArea
        label="请求的内容"
        {...field('content')}
        rows={4}
        maxLength={LENGTHS.content}
        placeholder="请写明用户ID（未登录时）与希望我们做的事；不要填写密码或证件号码"
      />
      <Button type="submit" look="primary" size="large" disabled={isSending}>
        {isSending ? '提交中…' : '提交请求'}
      </Button>
      <p className={styles['note']}>联系方式加密保存，只用于答复这份请求。</p>
    </form>
  );
}
