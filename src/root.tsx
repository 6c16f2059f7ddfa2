import './ui/tokens.css';
import './ui/mantine.css';
import './ui/global.css';
import './ui/mantine-theme.css';
import { mantineHtmlProps, MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { isRouteErrorResponse, Links, Meta, Outlet, Scripts, ScrollRestoration } from 'react-router';
import type { ShouldRevalidateFunctionArgs } from 'react-router';
import type { Route } from './+types/root';
import { loginMethods } from './accounts/contract.ts';
import { SessionProvider } from './accounts/web/session.tsx';
import { getMine } from './membership/contract.ts';
import { callFrom, pageFacts } from './page-context.ts';
import { useRootData, type RootData } from './root-data.ts';
import { CODE } from './protocol/codes.ts';
import { ReloadGuard } from './site/web/reload-guard.tsx';
import { DISPLAY_SCRIPT } from './search/web/display.ts';
import { ErrorView } from './site/web/error-view.tsx';
import { LoginDialogSlot } from './site/web/login-dialog-slot.tsx';
import { NavigationProgress } from './site/web/navigation-progress.tsx';
import { OfflineNotice } from './site/web/offline-notice.tsx';
import { OfflineSupport } from './site/web/offline-support.tsx';
import { theme } from './ui/theme.ts';
import { ToastArea } from './ui/toast-area.tsx';

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

/** Asked again only when a page says so (login, logout, a download), not at every click on a link. */
export function shouldRevalidate({ currentUrl, nextUrl, formMethod }: ShouldRevalidateFunctionArgs): boolean {
  return formMethod !== undefined || currentUrl.href === nextUrl.href;
}

/** Of what no page below could be made for: a page's own `meta` is not asked then. */
export function meta({ loaderData, error }: Route.MetaArgs): Route.MetaDescriptors {
  const name = loaderData?.site.name ?? '策库';
  if (!error) return [{ title: name }];
  const problem = isRouteErrorResponse(error) && error.status === 404 ? '页面不存在' : '暂时无法打开';
  return [{ title: `${problem} - ${name}` }, { name: 'robots', content: 'noindex' }];
}

export function Layout({ children }: { children: ReactNode }) {
  const root = useRootData();
  return (
    <html lang="zh-CN" {...mantineHtmlProps} data-mantine-color-scheme="light">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#faf8f4" />
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/site.webmanifest" />
        <script nonce={root?.nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: DISPLAY_SCRIPT }} />
        <Meta />
        <Links nonce={root?.nonce} />
      </head>
      <body>
        <MantineProvider
          theme={theme}
          forceColorScheme="light"
          getStyleNonce={() => root?.nonce ?? ''}
          // The variables are in ui/mantine-theme.css, so that they are not computed again for each page.
          withCssVariables={false}
          // Classes such as mantine-visible-from-sm, which no page uses.
          withGlobalClasses={false}
        >
          {children}
        </MantineProvider>
        <ScrollRestoration nonce={root?.nonce} />
        <Scripts nonce={root?.nonce} />
      </body>
    </html>
  );
}

export default function App({ loaderData }: Route.ComponentProps) {
  return (
    <SessionProvider member={loaderData.member}>
      <OfflineNotice />
      <OfflineSupport />
      <ReloadGuard>
        <NavigationProgress />
        <Outlet />
      </ReloadGuard>
      <LoginDialogSlot />
      <ToastArea />
    </SessionProvider>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorView error={error} />;
}
