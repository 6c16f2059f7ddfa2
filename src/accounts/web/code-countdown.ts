import { useEffect, useState } from 'react';
import { SMS_RESEND_SECONDS } from '../contract.ts';

/** Kept beside the page, so that closing the dialog or reloading does not end the wait. Epoch milliseconds. */
const keyOf = (purpose: string) => `ceku-next-code-at/${purpose}`;

/**
 * Seconds until another code may be asked for, 0 when at once; `start` begins the wait anew. Each purpose waits for itself: a
 * form with two codes sends them to two phones.
 */
export function useCodeCountdown(purpose: string): { secondsLeft: number; start: (seconds?: number) => void } {
  const [secondsLeft, setSecondsLeft] = useState(0);
  const isWaiting = secondsLeft > 0;
  useEffect(() => {
    setSecondsLeft(readSeconds(purpose));
    if (!isWaiting) return;
    const timer = setInterval(() => setSecondsLeft(readSeconds(purpose)), 1000);
    return () => clearInterval(timer);
  }, [isWaiting, purpose]);
  return {
    secondsLeft,
    start(seconds = SMS_RESEND_SECONDS) {
      const at = Date.now() + seconds * 1000;
      nextAt.set(purpose, at);
      try {
        window.sessionStorage.setItem(keyOf(purpose), String(at));
      } catch {}
      setSecondsLeft(seconds);
    },
  };
}

/** For browsers that keep nothing: at least as long as the page is there. */
const nextAt = new Map<string, number>();

function readSeconds(purpose: string): number {
  let at = nextAt.get(purpose) ?? 0;
  try {
    at = Math.max(at, Number(window.sessionStorage.getItem(keyOf(purpose))) || 0);
  } catch {}
  const seconds = Math.ceil((at - Date.now()) / 1000);
  // A clock that was set back must not lock the button.
  return seconds > SMS_RESEND_SECONDS ? 0 : Math.max(seconds, 0);
}
