import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { Member } from '../../../membership/contract.ts';
import { CODE } from '../../../protocol/codes.ts';
import type { Answer } from '../../../protocol/endpoint.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Sheet } from '../../../ui/feedback/sheet.tsx';
import { momentText, sizeText } from '../../../ui/text/format-text.ts';
import { toast } from '../../../ui/feedback/toast.tsx';
import { exportAccount, exportStatus } from '../../contract.ts';
import { call } from '../call.ts';
import { CodeField, codeError } from '../login/code-field.tsx';
import styles from './export-data.module.css';
import formStyles from '../login/login-form.module.css';
import { kindsOf, useLoginMethods } from '../login/login-methods.ts';
import { PasswordField } from '../login/password-field.tsx';
import { ScanProof, isScanWanted } from '../login/scan-login.tsx';
import { Row } from './settings-rows.tsx';
import { useSending } from '../login/use-sending.ts';

type Copy = Answer<typeof exportStatus>;

const LOOK_AGAIN_MS = 2000;

/**
 * Renders the copy of everything kept about the member, as a ZIP (C-74): requested, waited for, downloaded within 24
 * hours.
 */
export function ExportData(props: { copy: Copy | null; member: Member }) {
  const [copy, setCopy] = useState(props.copy);
  const [isProving, setIsProving] = useState(false);
  const { isSending, send } = useSending();
  const isPending = copy?.status === 'pending';
  useEffect(() => {
    if (!isPending) return;
    const timer = setInterval(() => {
      if (document.hidden) return;
      void call(exportStatus, {})
        .then((reply) => reply.code === CODE.ok && setCopy(reply.data))
        // The next tick asks again.
        .catch(() => null);
    }, LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isPending]);

  const ask = send(async () => {
    const reply = await call(exportAccount, {});
    if (reply.code === CODE.ok) return setCopy(reply.data);
    // The login is some time ago: the owner has to prove themselves again.
    if (isScanWanted(reply) || reply.code === CODE.invalid) return setIsProving(true);
    toast.warning(reply.message);
  });
  return (
    <Row
      label="导出"
      action={
        copy?.status === 'ready' ? (
          <a className={styles['file']} href={copy.url} download>
            下载 ZIP
          </a>
        ) : (
          <Button size="small" disabled={isSending || isPending} onClick={ask}>
            {isPending ? '正在生成…' : '导出我的数据'}
          </Button>
        )
      }
    >
      <span role="status">{textOf(copy)}</span>
      {isProving && (
        <Sheet title="导出我的数据" onClose={() => setIsProving(false)}>
          <ExportProof
            member={props.member}
            onDone={(made) => {
              setIsProving(false);
              setCopy(made);
            }}
          />
        </Sheet>
      )}
    </Row>
  );
}

/** Asks the owner for a proof before all their data is handed out: a code to their phone, their password, or a scan. */
function ExportProof({ member, onDone }: { member: Member; onDone: (copy: Copy | null) => void }) {
  const { isSending, send } = useSending();
  const [given, setGiven] = useState('');
  const [error, setError] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const isByPhone = member.phone !== '';
  const submit = send(async () => {
    const wrong = isByPhone ? codeError(given) : given === '' ? '请输入密码' : null;
    setError(wrong);
    if (wrong) return field.current?.focus();
    const reply = await call(exportAccount, isByPhone ? { code: given } : { pwd: given });
    if (reply.code === CODE.ok) return onDone(reply.data);
    toast.warning(reply.message);
    setError(reply.message);
    field.current?.focus();
  });
  const change = (text: string) => {
    setGiven(text);
    setError(null);
  };
  const lead = <p className={formStyles['lead']}>副本中有您的全部个人数据，请先确认是您本人。</p>;
  if (!isByPhone && member.has_password === 0) {
    return (
      <>
        {lead}
        <ExportByScan onDone={onDone} />
      </>
    );
  }
  return (
    <form onSubmit={submit} className={formStyles['form']} noValidate>
      {lead}
      {isByPhone ? (
        <>
          <p className={formStyles['fact']}>
            验证码将发送至 <b>{member.phone}</b>
          </p>
          <CodeField ref={field} value={given} onChange={change} phone="" purpose="export" error={error} />
        </>
      ) : (
        <PasswordField ref={field} value={given} onChange={change} error={error} />
      )}
      <Button type="submit" look="primary" size="large" disabled={isSending}>
        {isSending ? '提交中…' : '导出'}
      </Button>
    </form>
  );
}

/** Asks for a scan, and then for the copy, again on a press when that could not be asked or was refused. */
function ExportByScan({ onDone }: { onDone: (copy: Copy | null) => void }) {
  const { isSending, send } = useSending();
  const [isScanned, setIsScanned] = useState(false);
  const [error, setError] = useState('');
  const kinds = kindsOf(useLoginMethods());
  const ask = send(async () => {
    setIsScanned(true);
    setError('');
    const reply = await call(exportAccount, {}).catch(() => null);
    if (reply?.code === CODE.ok) return onDone(reply.data);
    // The scan proves the owner for some minutes.
    if (reply && isScanWanted(reply)) return setIsScanned(false);
    setError(reply?.message ?? '网络异常，请稍后再试');
  });
  if (!isScanned) return <ScanProof kinds={kinds} onDone={ask} />;
  return (
    <div className={formStyles['form']}>
      <p className={formStyles['proven']}>已通过微信验证</p>
      {error && <p role="alert">{error}</p>}
      <Button look="primary" size="large" disabled={isSending} onClick={ask}>
        {isSending ? '提交中…' : '重试'}
      </Button>
    </div>
  );
}

function textOf(copy: Copy | null): ReactNode {
  switch (copy?.status) {
    case 'pending':
      return '正在整理您的数据，可以离开此页，稍后再来';
    case 'ready':
      return (
        <>
          已生成（{sizeText(copy.size)}），<span className={styles['moment']}>{momentText(copy.expire_at)}</span>{' '}
          前可下载
        </>
      );
    case 'failed':
      return '生成失败，请重试';
    case 'none':
    case undefined:
      return '账号资料、登录、下载与喵币记录的一份副本';
  }
}
