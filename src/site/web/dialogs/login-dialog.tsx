import { useState } from 'react';
import { Link } from 'react-router';
import { LoginPanel } from '../../../accounts/web/login/login-panel.tsx';
import { ResetPassword } from '../../../accounts/web/login/reset-password.tsx';
import { useSession, type LoginRequest } from '../../../accounts/web/session.tsx';
import { useLoginMethods } from '../../../accounts/web/login/login-methods.ts';
import { ChevronLeftIcon } from '../../../ui/pictures/icons.tsx';
import { Sheet } from '../../../ui/feedback/sheet.tsx';
import styles from './login-dialog.module.css';
import { useSite } from '../../../root-data.ts';

/** The dialog for login and registration (C-18, C-19). */
export function LoginDialog() {
  const { login } = useSession();
  return login && <OpenDialog key={login.mode} login={login} />;
}

function OpenDialog({ login }: { login: LoginRequest }) {
  const { closeLogin } = useSession();
  const site = useSite();
  /** The phone whose password is being reset, '' before one was typed; null while the ways of logging in are shown. */
  const [resetFor, setResetFor] = useState<string | null>(null);
  /** The phone whose password was just reset, which the login by phone then begins with. */
  const [backWith, setBackWith] = useState<string | null>(null);
  const isRegister = login.mode === 'register';
  return (
    <Sheet title={titleOf(site?.name ?? '策库', isRegister, resetFor !== null)} isSteady onClose={closeLogin}>
      {login.reason && <p className={styles['reason']}>{login.reason}</p>}
      {resetFor === null ? (
        <Ways isRegister={isRegister} start={backWith} isUninvited={login.isUninvited} onForgotten={setResetFor} />
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
    </Sheet>
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
