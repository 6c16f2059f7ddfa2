import { useEffect, useRef, useState, type Ref } from 'react';
import { CODE } from '../../../protocol/codes.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { toast } from '../../../ui/feedback/toast.tsx';
import { SMS_RESEND_SECONDS, sendPhoneCode } from '../../contract.ts';
import { cleanCode, isSmsCode } from '../../rules.ts';
import { call } from '../call.ts';
import styles from './code-field.module.css';
import { DemoPhone } from './demo-phone.tsx';
import { refusalDetail } from './refusal-detail.ts';
import { useSending } from './use-sending.ts';

/** Returns the error of C-70 for a code, null when the code is complete. */
export const codeError = (code: string) => (isSmsCode(code) ? null : '请输入6位验证码');

/**
 * Renders 验证码 with its button and its wait of 60 s (§4). `phone`: where the code goes, "" for the member's phone.
 * `check` returns whether the number may be used, and shows its error. The reason why a code was not sent stands under
 * the field, like `error`, until somebody types or asks again.
 */
export function CodeField(props: {
  value: string;
  onChange: (code: string) => void;
  phone: string;
  purpose: 'login' | 'bind' | 'rebind' | 'reset' | 'cancel' | 'export';
  label?: string;
  name?: string;
  check?: () => boolean;
  error?: string | null;
  isDisabled?: boolean;
  isFirst?: boolean;
  ref?: Ref<HTMLInputElement>;
}) {
  const { secondsLeft, start } = useCodeCountdown(props.purpose);
  const [unsent, setUnsent] = useState<string | null>(null);
  const name = props.name ?? 'code';
  const { isSending, send } = useSending();
  const row = useRef<HTMLDivElement>(null);
  const ask = send(async () => {
    setUnsent(null);
    if (props.check && !props.check()) return;
    const reply = await call(sendPhoneCode, { phone: props.phone, scene: props.purpose });
    if (reply.code === CODE.ok) {
      start();
      toast.success(reply.message);
      // The button is disabled now, and the code is typed next.
      return row.current?.querySelector('input')?.focus();
    }
    toast.warning(reply.message);
    setUnsent(reply.message);
    // NaN, which is in no range, where the refusal names no wait.
    const wait = Number(refusalDetail(reply.data, 'retry_after'));
    if (reply.code === CODE.tooFrequent && wait > 0 && wait <= SMS_RESEND_SECONDS) start(wait);
  });
  return (
    <div>
      <div ref={row} className={styles['row']}>
        <TextField
          ref={props.ref}
          className={styles['input']}
          label={props.label ?? '验证码'}
          name={name}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={20}
          data-autofocus={props.isFirst || undefined}
          value={props.value}
          error={props.error ?? unsent}
          onChange={(event) => {
            setUnsent(null);
            props.onChange(cleanCode(event.currentTarget.value));
          }}
        />
        <Button className={styles['button']} disabled={secondsLeft > 0 || isSending || props.isDisabled} onClick={ask}>
          {secondsLeft > 0 ? `${secondsLeft}s后重新获取` : '获取验证码'}
        </Button>
      </div>
      {secondsLeft > 0 && <DemoPhone query={props.phone ? { sms: props.phone } : {}} />}
    </div>
  );
}

/**
 * The key in sessionStorage, where the end of the wait survives closing the dialog or reloading. Epoch milliseconds.
 */
const keyOf = (purpose: string) => `ceku-next-code-at/${purpose}`;

/**
 * Returns the seconds until another code may be requested, 0 for at once; `start` restarts the wait. Each purpose has a
 * wait: a form with two codes sends them to two phones.
 */
function useCodeCountdown(purpose: string): { secondsLeft: number; start: (seconds?: number) => void } {
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

/** Holds the waits in memory for browsers that block storage. */
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
