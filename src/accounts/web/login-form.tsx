import { PasswordInput, TextInput } from '@mantine/core';
import { useRef, useState, type FormEvent } from 'react';
import { useRevalidator } from 'react-router';
import { CODE } from '../../protocol/codes.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';
import { usernameLogin } from '../contract.ts';
import { call } from './call.ts';
import { encodePassword } from './encode-password.ts';
import styles from './login-form.module.css';
import { useSession } from './session.tsx';

/** Username and password. On success the page reloads its data in place; on failure the input stays (C-109). */
export function LoginForm() {
  const { closeLogin } = useSession();
  const { revalidate } = useRevalidator();
  const passwordField = useRef<HTMLInputElement>(null);
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [isSending, setIsSending] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending) return;
    if (username.trim() === '' || password === '') return toast.warning('请输入用户名和密码');
    setIsSending(true);
    try {
      const reply = await call(usernameLogin, { username: username.trim(), password: encodePassword(password) });
      if (reply.code !== CODE.ok) return refuse(reply.message);
      await revalidate();
      closeLogin();
      focusAccount();
      toast.success('登录成功');
    } catch {
      refuse('网络异常，请稍后再试');
    } finally {
      setIsSending(false);
    }
  };
  const refuse = (message: string) => {
    toast.warning(message);
    passwordField.current?.focus();
  };

  return (
    <form onSubmit={(event) => void submit(event)} className={styles['form']} noValidate>
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
      <PasswordInput
        ref={passwordField}
        label="密码"
        name="password"
        size="md"
        autoComplete="current-password"
        maxLength={64}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': '显示或隐藏密码' }}
      />
      <Button type="submit" look="primary" size="large" disabled={isSending}>
        {isSending ? '登录中…' : '登录'}
      </Button>
    </form>
  );
}

/** The button that opened the dialog is gone with the visitor: the account that took its place gets the focus. */
function focusAccount() {
  requestAnimationFrame(() => {
    if (document.activeElement && document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>('header [aria-haspopup]')?.focus();
  });
}
