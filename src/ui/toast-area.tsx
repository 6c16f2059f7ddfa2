import { lazy, Suspense, useEffect, useState } from 'react';

/** Loaded after the page: nothing is shown before the first user action, and earlier messages are queued. */
const Notifications = lazy(() =>
  import('@mantine/notifications').then((module) => ({ default: module.Notifications })),
);

/** The place where toasts appear; rendered once, in the root. */
export function ToastArea() {
  const [isMounted, setIsMounted] = useState(false);
  useEffect(() => setIsMounted(true), []);
  if (!isMounted) return null;
  return (
    <Suspense>
      <Notifications position="top-center" limit={3} containerWidth={480} />
    </Suspense>
  );
}
