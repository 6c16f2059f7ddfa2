import { lazy, Suspense, useEffect, useState } from 'react';
import { useSession } from '../../accounts/web/session.tsx';

/** The form, its validation and the contract behind it come only when somebody wants to log in. */
const LoginDialog = lazy(() => import('./login-dialog.tsx').then((module) => ({ default: module.LoginDialog })));

export function LoginDialogSlot() {
  const { login } = useSession();
  const [isWanted, setIsWanted] = useState(false);
  useEffect(() => {
    if (login) setIsWanted(true);
  }, [login]);
  if (!isWanted) return null;
  return (
    <Suspense>
      <LoginDialog />
    </Suspense>
  );
}
