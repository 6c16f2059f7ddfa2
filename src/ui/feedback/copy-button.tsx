import { useState } from 'react';
import styles from './copy-button.module.css';
import { CheckIcon } from '../pictures/icons.tsx';
import { CopyIcon } from '../pictures/tool-icons.tsx';
import { toast } from './toast.tsx';

const SHOWN_MS = 2000;

/**
 * A small button that copies `value`. `label` names it for screen readers, e.g. 复制用户ID. `isOnDark` is for the dark areas around
 * pages.
 */
export function CopyButton({ value, label, isOnDark }: { value: string; label: string; isOnDark?: boolean }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async (button: HTMLElement) => {
    if (!(await copyText(value, button.parentElement ?? undefined))) {
      // The value beside the button can be selected instead.
      toast.warning('复制失败，请手动选择复制');
      return;
    }
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), SHOWN_MS);
  };
  return (
    <button
      type="button"
      className={`${styles['button']} touch-target`}
      data-dark={isOnDark || undefined}
      aria-label={label}
      title={label}
      onClick={(event) => void copy(event.currentTarget)}
    >
      {isCopied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
      <span role="status" className="visually-hidden">
        {isCopied ? '已复制' : ''}
      </span>
    </button>
  );
}

/**
 * Copies text to the clipboard; returns false where the browser refuses. Without https there is no clipboard API, and
 * the old command copies the selection of a field, which must be inside the open dialog (`within`), because nothing
 * outside can be selected.
 */
export async function copyText(text: string, within: HTMLElement = document.body): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text, within);
  }
}

function copyBySelection(text: string, within: HTMLElement): boolean {
  const field = document.createElement('textarea');
  const focused = document.activeElement;
  field.value = text;
  field.readOnly = true;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  within.append(field);
  field.select();
  let isCopied = false;
  try {
    // Deprecated, but the only way on plain http; browsers keep supporting it.
    // oxlint-disable-next-line typescript/no-deprecated
    isCopied = document.execCommand('copy');
  } catch {
    isCopied = false;
  }
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
