import { useEffect, useState } from 'react';
import { SMS_RESEND_SECONDS } from '../contract.ts';

/** Kept beside the page, so that closing the dialog or reloading does not end the wait. Epoch milliseconds. */
const KEY = 'ceku-next-code-at';

/** Seconds until another code may be asked for, 0 when at once; `start` begins the wait anew. */
export function useCodeCountdown(): { secondsLeft: number; start: (seconds?: number) => void } {
  const [secondsLeft, setSecondsLeft] = useState(0);
  const isWaiting = secondsLeft > 0;
  useEffect(() => {
    setSecondsLeft(readSeconds());
    if (!isWaiting) return;
    const timer = setInterval(() => setSecondsLeft(readSeconds()), 1000);
    return () => clearInterval(timer);
  }, [isWaiting]);
  return {
    secondsLeft,
    start(seconds = SMS_RESEND_SECONDS) {
      nextAt = Date.now() + seconds * 1000;
      try {
        window.sessionStorage.setItem(KEY, String(nextAt));
      } catch {}
      setSecondsLeft(seconds);
    },
  };
}

/** For browsers that keep nothing: at least as long as the page is there. */
let nextAt = 0;

function readSeconds(): number {
  let at = nextAt;
  try {
    at = Math.max(at, Number(window.sessionStorage.getItem(KEY)) || 0);
  } catch {}
  const seconds = Math.ceil((at - Date.now()) / 1000);
  // A clock that was set back must not lock the button.
  return seconds > SMS_RESEND_SECONDS ? 0 : Math.max(seconds, 0);
}
