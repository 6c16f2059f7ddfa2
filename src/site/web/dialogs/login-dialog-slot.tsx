import { useEffect, useState } from 'react';
import { useSession } from '../../../accounts/web/session.tsx';
import { LazyBoundary, lazyWithRetry } from '../../../ui/feedback/lazy-boundary.tsx';

/** Loads the login form, its validation and its contract only when somebody opens the dialog. */
const LoginDialog = lazyWithRetry(() => import('./login-dialog.tsx').then((module) => module.LoginDialog));

export function LoginDialogSlot() {
  const { login } = useSession();
  const [isWanted, setIsWanted] = useState(false);
  useEffect(() => {
    if (login) setIsWanted(true);
  }, [login]);
  if (!isWanted) return null;
  return (
    <LazyBoundary onOpenChange={setIsWanted}>
      <LoginDialog />
    </LazyBoundary>
  );
}
