import { createContext, use, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import type { Member } from '../../membership/contract.ts';
import { reloadPage } from '../../ui/reload-page.ts';
import { toast } from '../../ui/toast.ts';
import { leaveLoginNote, takeLoginNote, takeResume } from './after-login.ts';
import { forgetCredentials, onSessionOver, readCredential } from './credentials.ts';

/** §9: after logout the visitor is sent home. */
const HOME_AFTER_LOGOUT_MS = 3000;

/** An open login dialog: which face it shows and, in a line above the form, why it came. */
export type LoginRequest = {
  mode: 'login' | 'register';
  reason: string | null;
  /** What useResume goes on with after the login. */
  resume: string | null;
  /** Nobody asked for it: the dialog came by itself, and takes no field's focus. */
  isUninvited: boolean;
};

export type Session = {
  /** Null: a visitor. Known from the first paint on, as the root loader asked the server. */
  member: Member | null;
  /** The login dialog now open, null while closed. */
  login: LoginRequest | null;
  /** Logged out a moment ago, on the way home: no page asks for a login by itself. */
  isLeaving: boolean;
  /**
   * Opens the login dialog. `reason`: one short sentence shown in it, e.g. 登录后可预览前10页. `resume`: the key under
   * which the page goes on afterwards (useResume).
   */
  openLogin(reason?: string, resume?: string): void;
  /** The same by the page itself; nothing happens where a dialog is open already. */
  offerLogin(reason?: string): void;
  /** The same dialog on its 注册 face (C-18). */
  openRegister(): void;
  closeLogin(): void;
  /** After any kind of login: who it is, the dialog closes, the page reloads once (C-63). */
  completeLogin(): Promise<void>;
  /**
   * Tells the server, forgets the credentials, says so, and goes to /index after 3 s (C-72). Where the server could not be
   * told, the session lives on and everything stays as it was: a message says so and offers to try again.
   */
  logout(): void;
  /** The same where the server has ended the session already; `message` says why. */
  sayGoodbye(message: string): void;
  /** Forgets the credentials and reloads what the page shows. call() sees to it by itself on codes 2 and 10000. */
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
  const [isLeaving, setIsLeaving] = useState(false);
  // The revalidator is a new object at each of its states: what we hand out must not change with it.
  const reload = useRef(revalidator.revalidate);
  reload.current = revalidator.revalidate;

  const expire = useCallback(() => {
    forgetCredentials();
    setFound(null);
    void reload.current();
  }, []);
  useEffect(() => onSessionOver(expire), [expire]);

  const sayGoodbye = useCallback(
    (message: string) => {
      setIsLeaving(true);
      expire();
      toast.success(message);
      setTimeout(() => {
        void Promise.resolve(navigate('/index')).finally(() => setIsLeaving(false));
      }, HOME_AFTER_LOGOUT_MS);
    },
    [expire, navigate],
  );
  const logout = useCallback(
    async function attempt(): Promise<void> {
      const hasEnded = await import('./log-out.ts').then(
        ({ leave }) => leave(),
        () => false,
      );
      if (hasEnded) return sayGoodbye('退出登录成功');
      toast.retry('退出失败，请重试', () => void attempt());
    },
    [sayGoodbye],
  );

  const resume = useRef<string | null>(null);
  resume.current = login?.resume ?? null;
  const completeLogin = useCallback(async () => {
    const { askMine } = await import('./ask-mine.ts');
    await askMine();
    leaveLoginNote(resume.current);
    setLogin(null);
    // This page stays a visitor's: the note is for the one that comes. A reload only here, after a login that the
    // server granted: whatever mine answered, it cannot become a loop.
    reloadPage();
  }, []);
  const isKnown = props.member !== null;
  useEffect(() => {
    // The server saw a visitor, yet a token is here: it may be valid (another cookie was lost) or long over.
    if (isKnown || readCredential('token') === '') return;
    void import('./ask-mine.ts').then(async ({ askMine }) => setFound(await askMine()));
  }, [isKnown]);

  const member = props.member ?? found;
  const isMember = member !== null;
  useEffect(() => {
    if (isMember && takeLoginNote()) toast.success('登录成功');
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
      sayGoodbye,
      expire,
    }),
    [member, login, isLeaving, completeLogin, logout, sayGoodbye, expire],
  );
  return <SessionContext value={session}>{props.children}</SessionContext>;
}

/**
 * Goes on with what a login interrupted: give `key` to openLogin as `resume`, and `work` runs once on the page as it
 * comes back logged in. Keys name the action and its object, e.g. `download:9`.
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
