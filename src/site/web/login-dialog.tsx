import { Modal } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useSession, type LoginRequest } from '../../accounts/web/session.tsx';
import { LoginForm } from '../../accounts/web/login-form.tsx';
import { Button } from '../../ui/button.tsx';
import { useOpenedAfterMount } from '../../ui/use-opened-after-mount.ts';
import { ContactFacts } from './contact-facts.tsx';
import styles from './login-dialog.module.css';

/** One dialog for login and registration (C-18). Its face stays while it fades out. */
export function LoginDialog() {
  const { login, closeLogin, openLogin, openRegister } = useSession();
  const [shown, setShown] = useState<LoginRequest | null>(login);
  if (login && login !== shown) setShown(login);
  const isOpen = useOpenedAfterMount(login !== null);
  const isRegister = shown?.mode === 'register';
  return (
    <Modal opened={isOpen} onClose={closeLogin} title={isRegister ? '开通账号' : '账号登录'} size={420}>
      {isRegister ? (
        <>
          <p className={styles['text']}>账号由客服团队开通：告诉我们您的称呼与公司，即可获得用户名和初始密码。</p>
          <ContactFacts />
          <Button className={styles['wide']} look="quiet" size="large" onClick={() => openLogin()}>
            已有账号，去登录
          </Button>
        </>
      ) : (
        <>
          {shown?.reason && <p className={styles['reason']}>{shown.reason}</p>}
          <LoginForm />
          <p className={styles['other']}>
            还没有账号？
            <button type="button" className={styles['link']} onClick={() => openRegister()}>
              联系客服开通
            </button>
          </p>
        </>
      )}
      <p className={styles['agree']}>
        登录即表示同意
        <Link to="/protocol" target="_blank">
          《服务协议》
        </Link>
        和
        <Link to="/privacy" target="_blank">
          《隐私政策》
        </Link>
      </p>
    </Modal>
  );
}
