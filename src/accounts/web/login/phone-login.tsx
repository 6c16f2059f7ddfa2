import { useRef, useState } from 'react';
import { CODE } from '../../../protocol/codes.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Tabs } from '../../../ui/navigation/tabs.tsx';
import { toast } from '../../../ui/feedback/toast.tsx';
import { phoneCodeLogin, phoneLogin } from '../../contract.ts';
import { call } from '../call.ts';
import { CodeField, codeError } from './code-field.tsx';
import styles from './login-form.module.css';
import { PasswordField } from './password-field.tsx';
import { PhoneField, phoneError } from './phone-field.tsx';
import { useSession } from '../session.tsx';
import { useSending } from './use-sending.ts';

const WAYS = [
  { value: 'code', label: '验证码登录' },
  { value: 'password', label: '密码登录' },
] as const;

/** Renders 手机登录: by code, which also registers (C-64), or by password. The number stays when the tab changes. */
export function PhoneLogin(props: {
  /** The tab and phone after a password reset. */
  start?: { way: 'code' | 'password'; phone: string };
  /** False where no carrier is configured: no code can be sent, and only a password logs in. */
  hasCode: boolean;
  /** False in the 注册 dialog: nobody new has a password. */
  hasPassword: boolean;
  onForgotten: (phone: string) => void;
}) {
  const [way, setWay] = useState(props.start?.way ?? 'code');
  const ways = WAYS.filter(({ value }) => (value === 'password' ? props.hasPassword || !props.hasCode : props.hasCode));
  const [phone, setPhone] = useState(props.start?.phone ?? '');
  return (
    <Tabs look="pill" label="手机登录方式" tabs={ways} value={props.hasCode ? way : 'password'} onChange={setWay}>
      {(value) =>
        value === 'code' ? (
          <ByCode phone={phone} onPhone={setPhone} />
        ) : (
          <ByPassword
            phone={phone}
            onPhone={setPhone}
            onForgotten={props.hasCode ? () => props.onForgotten(phone) : null}
          />
        )
      }
    </Tabs>
  );
}

type Errors = { phone?: string | null; code?: string | null };

function ByCode({ phone, onPhone }: { phone: string; onPhone: (phone: string) => void }) {
  const { completeLogin } = useSession();
  const { isSending, send } = useSending();
  const [code, setCode] = useState('');
  const [errors, setErrors] = useState<Errors>({});
  const phoneField = useRef<HTMLInputElement>(null);
  const codeField = useRef<HTMLInputElement>(null);

  const checkPhone = () => {
    const error = phoneError(phone);
    setErrors({ phone: error });
    if (error) phoneField.current?.focus();
    return error === null;
  };
  const submit = send(async () => {
    if (!checkPhone()) return;
    const error = codeError(code);
    setErrors({ code: error });
    if (error) return codeField.current?.focus();
    const reply = await call(phoneCodeLogin, { phone, code });
    if (reply.code === CODE.ok) return completeLogin();
    toast.warning(reply.message);
    setErrors({ code: reply.message });
    codeField.current?.focus();
  });

  return (
    <form onSubmit={submit} className={styles['form']} noValidate>
      <PhoneField
        ref={phoneField}
        value={phone}
        onChange={(text) => {
          onPhone(text);
          setErrors({});
        }}
        error={errors.phone ?? null}
        isFirst
      />
      <CodeField
        ref={codeField}
        value={code}
        onChange={(text) => {
          setCode(text);
          setErrors({});
        }}
        phone={phone}
        purpose="login"
        check={checkPhone}
        error={errors.code ?? null}
      />
      <Button type="submit" look="primary" size="large" disabled={isSending}>
        {isSending ? '登录中…' : '登录 / 注册'}
      </Button>
      <p className={styles['note']}>未注册的手机号验证后将自动创建账号</p>
    </form>
  );
}

function ByPassword(props: { phone: string; onPhone: (phone: string) => void; onForgotten: (() => void) | null }) {
  const { completeLogin } = useSession();
  const { isSending, send } = useSending();
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<{ phone?: string; password?: string }>({});
  const phoneField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);

  const refuse = (message: string) => {
    setErrors({ password: message });
    passwordField.current?.focus();
  };
  const submit = send(async () => {
    const wrong = phoneError(props.phone);
    setErrors(wrong ? { phone: wrong } : {});
    if (wrong) return phoneField.current?.focus();
    if (password === '') return refuse('请输入密码');
    const reply = await call(phoneLogin, { phone: props.phone, pwd: password });
    if (reply.code === CODE.ok) return completeLogin();
    toast.warning(reply.message);
    refuse(reply.message);
  });

  return (
    <form onSubmit={submit} className={styles['form']} noValidate>
      <PhoneField
        ref={phoneField}
        value={props.phone}
        onChange={(text) => {
          props.onPhone(text);
          setErrors({});
        }}
        error={errors.phone ?? null}
        isFirst
      />
      <PasswordField
        ref={passwordField}
        value={password}
        onChange={(text) => {
          setPassword(text);
          setErrors({});
        }}
        error={errors.password ?? null}
      />
      <Button type="submit" look="primary" size="large" disabled={isSending}>
        {isSending ? '登录中…' : '登录'}
      </Button>
      {props.onForgotten && (
        <p className={styles['note']}>
          <button type="button" className={styles['link']} onClick={props.onForgotten}>
            忘记密码？
          </button>
        </p>
      )}
    </form>
  );
}
