import { useEffect, useState, type ReactNode } from 'react';
import { guardReloads } from './chunk-reload.ts';
import { ErrorView } from './error-view.tsx';

/** Shows the error page with 刷新 when the script of a page is still missing after the one allowed reload (C-97). */
export function ReloadGuard({ children }: { children: ReactNode }) {
  const [isRefused, setIsRefused] = useState(false);
  useEffect(() => guardReloads(() => setIsRefused(true)), []);
  return isRefused ? <ErrorView error={new Error('页面内容加载失败，请检查网络后刷新')} /> : children;
}
