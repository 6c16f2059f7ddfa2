import { TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { CODE } from '../../protocol/codes.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';
import { usernameLogin } from '../contract.ts';
import { call } from './call.ts';
import { encodePassword } from './encode-password.ts';
import styles from './login-form.module.css';
import { PasswordField } from './password-field.tsx';
import { useSession } from './session.tsx';
import { useSending } from './use-sending.ts';

/** 账号登录: user name and password. A refusal warns for 3 s, the input stays, the password has the focus (C-109). */
export function LoginForm() {
  const { completeLogin } = useSession();
  const { isSending, send } = useSending();
  const passwordField = useRef<HTMLInputElement>(null);
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');

  const refuse = (message: string) => {
    toast.warning(message);
    passwordField.current?.focus();
  };
  const submit = send(async () => {
    if (username.trim() === '' || password === '') return refuse('请输入用户名和密码');
    const reply = await call(usernameLogin, { username: username.trim(), password: encodePassword(password) });
    if (reply.code === CODE.ok) return completeLogin();
    refuse(reply.message);
  });

  return (
    <form onSubmit={submit} className={styles['form']} noValidate>
      <TextInput
        label="用户名"
        name="username"
        size="md"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        value={username}
        onChange={(event) => setUsername(event.currentTarget.value)}
        data-autofocus
      />
      <PasswordField ref={passwordField} value={password} onChange={setPassword} />
      <Button type="submit" look="primary" size="large" disabled={isSending}>
        {isSending ? '登录中…' : '登录'}
      </Button>
      <p className={styles['note']}>用户名由客服开通，请向客服索取</p>
    </form>
  );
}
