import { createContext, use, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import type { Member } from '../../membership/contract.ts';
import { toast } from '../../ui/toast.ts';
import { forgetCredentials, readCredential } from './credentials.ts';

/** §9: after logout the visitor is sent home. */
const HOME_AFTER_LOGOUT_MS = 3000;

/** An open login dialog: which face it shows and, in a line above the form, why it came. */
export type LoginRequest = { mode: 'login' | 'register'; reason: string | null };

export type Session = {
  /** Null: a visitor. Known from the first paint on, as the root loader asked the server. */
  member: Member | null;
  /** The login dialog now open, null while closed. */
  login: LoginRequest | null;
  /** Opens the login dialog. `reason`: one short sentence shown in it, e.g. 登录后可预览前10页. */
  openLogin(reason?: string): void;
  /** The same dialog on its 注册 face (C-18). */
  openRegister(): void;
  closeLogin(): void;
  /** Tells the server, forgets the credentials, says so, and goes to /index after 3 s (C-72). */
  logout(): void;
  /** Call it when a reply carries code 2 or 10000: forgets the credentials and reloads what the page shows. */
  expire(): void;
};

const SessionContext = createContext<Session | null>(null);

/** Who is logged in, and the way to log in or out. Only under SessionProvider. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('useSession outside SessionProvider');
  return session;
}

export function SessionProvider(props: { member: Member | null; children: ReactNode }) {
  const revalidator = useRevalidator();
  const navigate = useNavigate();
  const [login, setLogin] = useState<LoginRequest | null>(null);
  const [found, setFound] = useState<Member | null>(null);
  // The revalidator is a new object at each of its states: what we hand out must not change with it.
  const reload = useRef(revalidator.revalidate);
  reload.current = revalidator.revalidate;

  const expire = useCallback(() => {
    forgetCredentials();
    setFound(null);
    void reload.current();
  }, []);

  const logout = useCallback(async () => {
    const { leave } = await import('./log-out.ts');
    await leave();
    expire();
    toast.success('退出登录成功');
    setTimeout(() => void navigate('/index'), HOME_AFTER_LOGOUT_MS);
  }, [expire, navigate]);

  const isKnown = props.member !== null;
  useEffect(() => {
    // The server saw a visitor, yet a token is here: it may be valid (another cookie was lost) or long over.
    if (isKnown || readCredential('token') === '') return;
    void import('./ask-mine.ts').then(async ({ askMine }) => setFound(await askMine()));
  }, [isKnown]);

  const member = props.member ?? found;
  const session = useMemo<Session>(
    () => ({
      member,
      login,
      openLogin: (reason) => setLogin({ mode: 'login', reason: reason ?? null }),
      openRegister: () => setLogin({ mode: 'register', reason: null }),
      closeLogin: () => setLogin(null),
      logout: () => void logout(),
      expire,
    }),
    [member, login, logout, expire],
  );
  return <SessionContext value={session}>{props.children}</SessionContext>;
}
