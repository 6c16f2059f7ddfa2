import { useRef, useState, type FormEvent } from 'react';
import { toast } from '../../../ui/feedback/toast.tsx';

/**
 * Runs the work of a form or button: `send(work)` runs one piece of work at a time; a second press meanwhile does
 * nothing. An exception, such as a lost connection, is shown in a toast; the form keeps its input.
 */
export function useSending(): {
  isSending: boolean;
  /** A handler for onSubmit or onClick. */
  send: (work: () => Promise<void> | void) => (event?: FormEvent | React.MouseEvent) => void;
} {
  const [isSending, setIsSending] = useState(false);
  const isBusy = useRef(false);
  const run = async (work: () => Promise<void> | void) => {
    if (isBusy.current) return;
    isBusy.current = true;
    setIsSending(true);
    try {
      await work();
    } catch {
      toast.warning('网络异常，请稍后再试');
    } finally {
      isBusy.current = false;
      setIsSending(false);
    }
  };
  return {
    isSending,
    send: (work) => (event) => {
      event?.preventDefault();
      void run(work);
    },
  };
}
