import { lazy, Suspense, useEffect, useState } from 'react';
import { useSession } from '../../../accounts/web/session.tsx';

/** Loads the login form, its validation and its contract only when somebody opens the dialog. */
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
