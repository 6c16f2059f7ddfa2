import { useEffect } from 'react';
import { call } from '../../accounts/web/call.ts';
import { useSite } from '../../root-data.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CheckField, SelectField, TextArea, TextField } from '../../ui/controls/text-field.tsx';
import { reportInfringement } from '../contract.ts';
import { cleanText, LENGTHS, reportErrors, RIGHTS, STATEMENT, type ReportFields } from '../rules.ts';
import styles from './legal-form.module.css';
import { Receipt } from './receipt.tsx';
import { useLegalForm } from './use-legal-form.ts';

const EMPTY: ReportFields = { doc_url: '', type: '', owner: '', contact: '', proof: '', statement: '' };
const CHOICES = [['', '请选择'], ...Object.entries(RIGHTS)] as const;

const cleaned = (fields: ReportFields): ReportFields => ({
  ...fields,
  doc_url: fields.doc_url.trim(),
  owner: cleanText(fields.owner),
  contact: cleanText(fields.contact),
  proof: cleanText(fields.proof),
});

/** The form of a report of infringement (C-96). Files of evidence follow by e-mail, under the number of the receipt. */
export function InfringementForm() {
  const site = useSite();
  const { form, fields, errors, set, field, isSending, onSubmit, receipt, again } = useLegalForm({
    empty: EMPTY,
    check: (typed: ReportFields) => reportErrors(cleaned(typed)),
    submit: (typed) => call(reportInfringement, cleaned(typed)),
  });
  useEffect(() => {
    // The page of a document leads here with its id.
    const [, id] = /^#doc=(\d{1,15})$/.exec(window.location.hash) ?? [];
    if (!id) return;
    set({ doc_url: `/detail/${id}` });
    form.current?.scrollIntoView();
  }, [form, set]);
  if (receipt)
    return (
      <Receipt title="通知已提交" number={receipt.receipt_no} again="再提交一份" onAgain={again}>
        <p>被投诉的方案：《{receipt.doc_name}》</p>
        <p>
          我们会在 1 个工作日内核对并与您联系；通知合格的，该方案会立即下架。证据文件请发送至{' '}
          <a href={`mailto:${site?.companyEmail ?? ''}`}>{site?.companyEmail}</a>，邮件标题注明回执号。
        </p>
      </Receipt>
    );
  return (
    <form ref={form} className={styles['form']} onSubmit={onSubmit} noValidate aria-label="侵权投诉表单">
      <noscript>
        <p className={styles['note']}>在线提交需要启用 JavaScript；您也可以按上面的方式发送邮件。</p>
      </noscript>
      <TextField
        label="被投诉方案的网址"
        {...field('doc_url')}
        maxLength={LENGTHS.docUrl}
        placeholder="方案详情页的网址，例如 /detail/123"
        autoComplete="off"
      />
      <div className={styles['pair']}>
        <SelectField label="被侵害的权利" {...field('type')} choices={CHOICES} />
        <TextField
          label="权利人"
          {...field('owner')}
          maxLength={LENGTHS.owner}
          placeholder="姓名或单位全称"
          autoComplete="organization"
        />
      </div>
      <TextArea
        label="联系方式与通讯地址"
        {...field('contact')}
        rows={2}
        maxLength={LENGTHS.contact}
        placeholder="手机号或邮箱，以及通讯地址"
      />
      <TextArea
        label="权属与侵权的说明"
        {...field('proof')}
        rows={5}
        maxLength={LENGTHS.proof}
        placeholder="您享有什么权利，方案的哪些页侵害了它；可附证据的网址"
      />
      <CheckField
        name="statement"
        label={STATEMENT}
        value={STATEMENT}
        checked={fields.statement !== ''}
        error={errors.statement}
        onChange={(event) => set({ statement: event.currentTarget.checked ? STATEMENT : '' })}
      />
      <Button type="submit" look="primary" size="large" disabled={isSending}>
        {isSending ? '提交中…' : '提交通知'}
      </Button>
      <p className={styles['note']}>您的联系方式加密保存，只用于处理这份通知。</p>
    </form>
  );
}
