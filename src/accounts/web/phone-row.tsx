import { Modal } from '@mantine/core';
import { useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { CODE } from '../../protocol/codes.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';
import { bindPhone } from '../contract.ts';
import { isMemberPassword } from '../rules.ts';
import { call } from './call.ts';
import { CodeField, codeError } from './code-field.tsx';
import styles from './login-form.module.css';
import { NO_PASSWORD, PasswordField } from './password-field.tsx';
import { PhoneField, phoneError } from './phone-field.tsx';
import { Row } from './settings-rows.tsx';
import { useSending } from './use-sending.ts';

/** The bound phone or 未绑定, and the dialog that binds or changes it. */
export function PhoneRow({ phone, hasPassword }: { phone: string; hasPassword: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  // What the dialog was opened for stays in it while it fades out.
  const [before, setBefore] = useState(phone);
  const open = () => {
    setBefore(phone);
    setIsOpen(true);
  };
  return (
    <Row
      label="手机"
      action={
        <Button size="small" aria-label={titleOf(phone)} onClick={open}>
          {phone ? '更换' : '绑定'}
        </Button>
      }
    >
      {phone ? <b>{phone}</b> : <span className={styles['empty']}>未绑定</span>}
      <Modal opened={isOpen} onClose={() => setIsOpen(false)} title={titleOf(before)} size={420}>
        <BindPhone phone={before} hasPassword={hasPassword} onDone={() => setIsOpen(false)} />
      </Modal>
    </Row>
  );
}

const titleOf = (phone: string) => (phone ? '更换手机号' : '绑定手机号');

type Errors = { phone?: string; password?: string; code?: string };

/** C-68: an account with a password proves it; one without may choose its first here. */
function BindPhone(props: { phone: string; hasPassword: boolean; onDone: () => void }) {
  const { revalidate } = useRevalidator();
  const { isSending, send } = useSending();
  const [phone, setPhone] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [errors, setErrors] = useState<Errors>({});
  const form = useRef<HTMLFormElement>(null);
  const focus = (name: string) => form.current?.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.focus();

  const checkPhone = () => {
    const error = phoneError(phone);
    setErrors(error ? { phone: error } : {});
    if (error) focus('phone');
    return error === null;
  };
  const submit = send(async () => {
    if (!checkPhone()) return;
    const wrongCode = codeError(code);
    if (wrongCode) {
      setErrors({ code: wrongCode });
      return focus('code');
    }
    if (props.hasPassword ? password === '' : password !== '' && !isMemberPassword(password)) {
      setErrors({ password: props.hasPassword ? '请输入当前密码' : NO_PASSWORD });
      return focus(props.hasPassword ? 'password' : 'new-password');
    }
    const reply = await call(bindPhone, { phone, pwd: password, code });
    if (reply.code !== CODE.ok) {
      toast.warning(reply.message);
      return focus(reply.code === CODE.failed ? 'password' : reply.code === CODE.conflict ? 'phone' : 'code');
    }
    props.onDone();
    toast.success(reply.message);
    await revalidate();
  });

  return (
    <form ref={form} onSubmit={submit} className={styles['form']} noValidate>
      {props.phone && (
        <p className={styles['fact']}>
          当前手机号 <b>{props.phone}</b>
        </p>
      )}
      <PhoneField
        value={phone}
        onChange={(text) => {
          setPhone(text);
          setErrors({});
        }}
        error={errors.phone ?? null}
        label={props.phone ? '新手机号' : '手机号'}
        isOwn={props.phone === ''}
        isFirst
      />
      <CodeField
        value={code}
        onChange={setCode}
        phone={phone}
        purpose="bind"
        check={checkPhone}
        error={errors.code ?? null}
      />
      <PasswordField
        isNew={!props.hasPassword}
        label={props.hasPassword ? '当前密码' : '登录密码（选填）'}
        value={password}
        onChange={setPassword}
        error={errors.password ?? null}
      />
      <Button type="submit" look="primary" size="large" disabled={isSending}>
        {isSending ? '提交中…' : props.phone ? '更换' : '绑定'}
      </Button>
    </form>
  );
}
