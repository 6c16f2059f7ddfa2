import { Modal } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { LoginPanel } from '../../../accounts/web/login/login-panel.tsx';
import { ResetPassword } from '../../../accounts/web/login/reset-password.tsx';
import { useSession, type LoginRequest } from '../../../accounts/web/session.tsx';
import { useLoginMethods } from '../../../accounts/web/login/login-methods.ts';
import { ChevronLeftIcon } from '../../../ui/pictures/icons.tsx';
import { useOpenedAfterMount } from '../../../ui/feedback/use-opened-after-mount.ts';
import styles from './login-dialog.module.css';
import { useSite } from '../../../root-data.ts';

/** The dialog for login and registration (C-18, C-19). Its content stays while it fades out. */
export function LoginDialog() {
  const { login, closeLogin } = useSession();
  const site = useSite();
  const [shown, setShown] = useState<LoginRequest | null>(login);
  // The number of a reset: under way, and done.
  const [resetFor, setResetFor] = useState<string | null>(null);
  const [backWith, setBackWith] = useState<string | null>(null);
  if (login && login !== shown) {
    setShown(login);
    setResetFor(null);
    setBackWith(null);
  }
  const isOpen = useOpenedAfterMount(login !== null);
  const isRegister = shown?.mode === 'register';
  return (
    <Modal
      opened={isOpen}
      onClose={closeLogin}
      title={titleOf(site?.name ?? '策库', isRegister, resetFor !== null)}
      size={420}
      yOffset="2vh"
      classNames={{ header: styles['header'] ?? '', content: styles['content'] ?? '' }}
    >
      {shown?.reason && <p className={styles['reason']}>{shown.reason}</p>}
      {resetFor === null ? (
        <Ways
          key={shown?.mode}
          isRegister={isRegister}
          start={backWith}
          isUninvited={shown?.isUninvited ?? false}
          onForgotten={setResetFor}
        />
      ) : (
        <>
          <button type="button" className={styles['back']} onClick={() => setResetFor(null)}>
            <ChevronLeftIcon size={16} />
            返回登录
          </button>
          <ResetPassword
            start={resetFor}
            onDone={(phone) => {
              setBackWith(phone);
              setResetFor(null);
            }}
          />
        </>
      )}
      {resetFor === null && (
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
      )}
    </Modal>
  );
}

function Ways(props: {
  isRegister: boolean;
  start: string | null;
  isUninvited: boolean;
  onForgotten: (phone: string) => void;
}) {
  return <LoginPanel methods={useLoginMethods()} {...props} />;
}

function titleOf(siteName: string, isRegister: boolean, isReset: boolean): string {
  if (isReset) return '重置密码';
  return isRegister ? `注册${siteName}` : `登录${siteName}`;
}
