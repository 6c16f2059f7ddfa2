import { useRef, useState } from 'react';
import { CODE } from '../../../protocol/codes.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { toast } from '../../../ui/feedback/toast.tsx';
import { usernameLogin } from '../../contract.ts';
import { call } from '../call.ts';
import { encodePassword } from '../../rules.ts';
import styles from './login-form.module.css';
import { PasswordField } from './password-field.tsx';
import { useSession } from '../session.tsx';
import { useSending } from './use-sending.ts';

/**
 * Renders 账号登录: user name and password. After a refusal a warning shows for 3 s, the input stays, and the password has
 * the focus (C-109); the error stands at its field until somebody types.
 */
export function LoginForm() {
  const { completeLogin } = useSession();
  const { isSending, send } = useSending();
  const passwordField = useRef<HTMLInputElement>(null);
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');

  const usernameField = useRef<HTMLInputElement>(null);
  const [errors, setErrors] = useState<{ username?: string; password?: string }>({});

  const refuse = (message: string) => {
    setErrors({ password: message });
    passwordField.current?.focus();
  };
  const submit = send(async () => {
    if (username.trim() === '') {
      setErrors({ username: '请输入用户名' });
      return usernameField.current?.focus();
    }
    if (password === '') return refuse('请输入密码');
    const reply = await call(usernameLogin, { username: username.trim(), password: encodePassword(password) });
    if (reply.code === CODE.ok) return completeLogin();
    toast.warning(reply.message);
    refuse(reply.message);
  });

  const change = (text: string) => {
    setPassword(text);
    setErrors({});
  };
  return (
    <form onSubmit={submit} className={styles['form']} noValidate>
      <TextField
        ref={usernameField}
        label="用户名"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        value={username}
        error={errors.username}
        onChange={(event) => {
          setUsername(event.currentTarget.value);
          setErrors({});
        }}
        data-autofocus
      />
      <PasswordField ref={passwordField} value={password} onChange={change} error={errors.password ?? null} />
      <Button type="submit" look="primary" size="large" disabled={isSending}>
        {isSending ? '登录中…' : '登录'}
      </Button>
      <p className={styles['note']}>用户名由客服开通，请向客服索取</p>
    </form>
  );
}
