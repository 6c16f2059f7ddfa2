import { lazy, Suspense, useEffect, useState } from 'react';

/** Comes after the page itself: nothing is shown before somebody acts, and what was said meanwhile is kept. */
const Notifications = lazy(() =>
  import('@mantine/notifications').then((module) => ({ default: module.Notifications })),
);

/** Where toasts appear. Once, in the root. */
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
