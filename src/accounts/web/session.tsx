import { createContext, use, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import type { Member } from '../../membership/contract.ts';
import { toast } from '../../ui/feedback/toast.tsx';
import { continueWanted, takeResume, takeSaid } from './continue-wanted.ts';
import { forgetCredentials, onSessionOver, readCredential } from './credentials.ts';
import { hasNotedLogouts, noteLogout } from './noted-logouts.ts';

/** §9: after a logout the visitor is sent home. */
const HOME_AFTER_LOGOUT_MS = 3000;
/** How long a logout waits for the server. */
const LOGOUT_MS = 5000;

/** An open login dialog: its mode, and the line above the form that says why it opened. */
export type LoginRequest = {
  mode: 'login' | 'register';
  reason: string | null;
  /** The key of the action that useResume continues after the login; null when the login interrupted nothing. */
  resume: string | null;
  /** True when the dialog opened by itself; no field takes the focus then. */
  isUninvited: boolean;
};

export type Session = {
  /** Null for a visitor. Known from the first paint, because the root loader asked the server. */
  member: Member | null;
  /** The open login dialog, null while closed. */
  login: LoginRequest | null;
  /** True shortly after a logout, on the way home, and after a farewell: no page opens the login dialog by itself. */
  isLeaving: boolean;
  /**
   * Opens the login dialog. `reason`: one short sentence shown in it, e.g. 登录后可预览前10页. `resume`: the key of the action
   * that the page continues afterwards (useResume).
   */
  openLogin(reason?: string, resume?: string): void;
  /** Opens the login dialog without a press by the visitor; does nothing while a dialog is open. */
  offerLogin(reason?: string): void;
  /** Opens the login dialog in its 注册 mode (C-18). */
  openRegister(): void;
  closeLogin(): void;
  /** Completes any kind of login: asks who the member is, closes the dialog, reloads the page once (C-63). */
  completeLogin(): Promise<void>;
  /**
   * Ends the session at the server, clears the cookies, says so, and goes to /index after 3 s (C-72). When the server
   * cannot be asked, the session ends for this browser all the same, and at the server as soon as it can be asked.
   */
  logout(): void;
  /** What private pages say instead of 请先登录 since the deletion of the account was requested; "" otherwise. */
  farewell: string;
  /** Clears the cookies after the server has ended all sessions, for the deletion of the account. */
  sayFarewell(text: string): void;
  /** Clears the cookies and reloads the page's data. call() does this by itself on codes 2 and 10000. */
  expire(): void;
};

const SessionContext = createContext<Session | null>(null);

/** Returns the session: who is logged in, and how to log in or out. Only under SessionProvider. */
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
  const [isLeaving, setIsLeaving] = useState(false);
  const [farewell, setFarewell] = useState('');
  /** The member in the page's data whose session has ended since; without a connection the data stay. */
  const [left, setLeft] = useState<Member | null>(null);
  // The revalidator is a new object in each of its states; the functions below must not change with it.
  const reload = useRef(revalidator.revalidate);
  reload.current = revalidator.revalidate;

  const latestMember = useRef(props.member);
  latestMember.current = props.member;
  const forget = useCallback((canReload: boolean) => {
    forgetCredentials();
    setFound(null);
    setLeft(latestMember.current);
    if (canReload) void reload.current();
  }, []);
  const expire = useCallback(() => forget(true), [forget]);
  useEffect(() => onSessionOver(expire), [expire]);

  useEffect(() => {
    // A login or a logout in another tab changes the cookies that the tabs share; this tab follows when the reader returns to it.
    let known = readCredential('token');
    const look = () => {
      const token = readCredential('token');
      if (document.visibilityState !== 'visible' || token === known) return;
      known = token;
      setFound(null);
      if (token !== '') setLogin(null);
      void reload.current();
    };
    document.addEventListener('visibilitychange', look);
    window.addEventListener('focus', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      window.removeEventListener('focus', look);
    };
  }, []);

  const sayFarewell = useCallback(
    (text: string) => {
      setIsLeaving(true);
      setFarewell(text);
      forget(true);
    },
    [forget],
  );
  const goodbye = useCallback(
    (isServerThere: boolean) => {
      setIsLeaving(true);
      setFarewell('');
      forget(isServerThere);
      toast.success('退出登录成功');
      const goHome = () => void Promise.resolve(navigate('/index')).finally(() => setIsLeaving(false));
      setTimeout(() => {
        if (navigator.onLine) goHome();
        else window.addEventListener('online', goHome, { once: true });
      }, HOME_AFTER_LOGOUT_MS);
    },
    [forget, navigate],
  );
  const logout = useCallback(async () => {
    const token = readCredential('token');
    noteLogout(token);
    const hasEnded = await Promise.race([
      import('./log-out.ts').then(({ endSession }) => endSession(token)).catch(() => false),
      new Promise<false>((resolve) => setTimeout(() => resolve(false), LOGOUT_MS)),
    ]);
    goodbye(hasEnded);
  }, [goodbye]);
  useEffect(() => {
    const endNoted = () => {
      // The next page or connection tries again.
      if (hasNotedLogouts()) import('./log-out.ts').then(({ endNotedSessions }) => endNotedSessions()).catch(() => {});
    };
    endNoted();
    window.addEventListener('online', endNoted);
    return () => window.removeEventListener('online', endNoted);
  }, []);

  const resume = useRef<string | null>(null);
  resume.current = login?.resume ?? null;
  const completeLogin = useCallback(async () => {
    const said = await import('./ask-mine.ts').then(
      async ({ askMine, saidOfLogin }) => {
        await askMine();
        return saidOfLogin();
      },
      // The session is open, also when this script is gone or the connection was lost.
      () => '登录成功',
    );
    setLogin(null);
    // The page reloads only here, after a login that the server granted, so that a failing getMine cannot cause a loop
    // of reloads.
    continueWanted(said, resume.current === null ? null : { key: resume.current });
  }, []);
  const isKnown = props.member !== null && props.member !== left;
  useEffect(() => {
    // The server saw a visitor although a token is here: the token is valid (another cookie was lost) or has expired.
    if (isKnown || readCredential('token') === '') return;
    void import('./ask-mine.ts').then(async ({ askMine }) => setFound(await askMine()));
  }, [isKnown]);

  const member = isKnown ? props.member : found;
  const isMember = member !== null;
  useEffect(() => {
    const said = isMember ? takeSaid() : null;
    if (said) toast.success(said);
  }, [isMember]);
  const session = useMemo<Session>(
    () => ({
      member,
      login,
      isLeaving,
      openLogin: (reason, key) =>
        setLogin({ mode: 'login', reason: reason ?? null, resume: key ?? null, isUninvited: false }),
      offerLogin: (reason) =>
        setLogin((open) => open ?? { mode: 'login', reason: reason ?? null, resume: null, isUninvited: true }),
      openRegister: () => setLogin({ mode: 'register', reason: null, resume: null, isUninvited: false }),
      closeLogin: () => setLogin(null),
      completeLogin,
      logout: () => void logout(),
      farewell,
      sayFarewell,
      expire,
    }),
    [member, login, isLeaving, completeLogin, logout, farewell, sayFarewell, expire],
  );
  return <SessionContext value={session}>{props.children}</SessionContext>;
}

/**
 * Continues an action that a login or a payment interrupted: pass `key` to openLogin or keepWanted, and `work` runs once
 * on the page after continueWanted has reloaded it for the logged-in member. Keys name the action and its object, e.g.
 * `download:9`.
 */
export function useResume(key: string, work: () => void): void {
  const { member } = useSession();
  const latest = useRef(work);
  latest.current = work;
  const isMember = member !== null;
  useEffect(() => {
    if (isMember && takeResume(key)) latest.current();
  }, [isMember, key]);
}
