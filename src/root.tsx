import './ui/theme/tokens.css';
import './ui/theme/global.css';
import { useEffect, type ReactNode } from 'react';
import { Links, Meta, Outlet, Scripts, ScrollRestoration, type ShouldRevalidateFunctionArgs } from 'react-router';
import type { Route } from './+types/root';
import { loginMethods } from './accounts/contract.ts';
import { RememberInvite } from './accounts/web/remember-invite.tsx';
import { SessionProvider } from './accounts/web/session.tsx';
import { getMine } from './membership/contract.ts';
import { PurchaseProvider } from './membership/web/prices/purchase.tsx';
import { failureMeta } from './page-head.ts';
import { callFrom, pageFacts } from './page-context.ts';
import { useRootData, type RootData } from './root-data.ts';
import { CODE } from './protocol/codes.ts';
import { ReloadGuard, ErrorView } from './site/web/errors/error-view.tsx';
import { DISPLAY_SCRIPT } from './search/web/filters/display.ts';
import { PayDialogSlot } from './site/web/dialogs/pay-dialog-slot.tsx';
import { LoginDialogSlot } from './site/web/dialogs/login-dialog-slot.tsx';
import { NavigationProgress } from './site/web/layout/navigation-progress.tsx';
import { OfflineNotice, OfflineSupport } from './site/web/errors/offline.tsx';
import { EARLY_CLICKS_SCRIPT, repeatEarlyClick } from './ui/controls/early-clicks.ts';
import { ToastArea } from './ui/feedback/toast.tsx';

/** Loads what every page may know: the member, the site's facts, and the ways to log in. */
export async function loader({ context }: Route.LoaderArgs): Promise<RootData> {
  const { nonce, origin, site } = context.get(pageFacts);
  const call = callFrom(context);
  const [mine, methods] = await Promise.all([
    call(getMine, { sid: '' }).catch(() => null),
    call(loginMethods, {}).catch(() => null),
  ]);
  return {
    nonce,
    origin,
    site,
    member: mine?.code === CODE.ok ? mine.data : null,
    loginMethods: methods?.data ?? null,
  };
}

/** The pages that show what is left of the member's quotas and coins. */
const SHOWS_QUOTAS = /^\/(aboutVip|user(\/index)?)\/?$/;

/**
 * The root loader runs again only when a page asks for it (login, logout, a download) or shows quotas, which reading and
 * downloading have changed, not at every click on a link.
 */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return currentUrl.href === nextUrl.href || SHOWS_QUOTAS.test(nextUrl.pathname);
}

/** The default title, and that of the error page: when a loader fails, React Router does not call the `meta` of the page. */
export function meta({ loaderData, error }: Route.MetaArgs): Route.MetaDescriptors {
  const name = loaderData?.site.name ?? '策库';
  if (!error) return [{ title: name }];
  return failureMeta(loaderData, error);
}

/** Only the server writes it: the browser leaves alone what is there. */
const FIRST_SCRIPT = import.meta.env.SSR ? DISPLAY_SCRIPT + EARLY_CLICKS_SCRIPT : '';

/** The id of the element behind the content of every page. */
const PAGE_END = 'page-end';

export function Layout({ children }: { children: ReactNode }) {
  const root = useRootData();
  return (
    <html lang="zh-CN">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#faf8f4" />
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/site.webmanifest" />
        <script nonce={root?.nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: FIRST_SCRIPT }} />
        <Meta />
        <Links nonce={root?.nonce} />
        {/* Nothing is painted before the whole page is parsed: a row that is painted half moves when its other half arrives. */}
        <link rel="expect" href={`#${PAGE_END}`} blocking="render" />
      </head>
      <body>
        {children}
        <div id={PAGE_END} hidden />
        <ScrollRestoration nonce={root?.nonce} />
        <Scripts nonce={root?.nonce} />
      </body>
    </html>
  );
}

export default function App({ loaderData }: Route.ComponentProps) {
  // Effects of a parent run after those of its children: what the button opens is ready.
  useEffect(repeatEarlyClick, []);
  return (
    <SessionProvider member={loaderData.member}>
      <PurchaseProvider>
        <RememberInvite />
        <OfflineNotice />
        <OfflineSupport />
        <ReloadGuard>
          <NavigationProgress />
          <Outlet />
        </ReloadGuard>
        <LoginDialogSlot />
        <PayDialogSlot />
        <ToastArea />
      </PurchaseProvider>
    </SessionProvider>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorView error={error} />;
}
