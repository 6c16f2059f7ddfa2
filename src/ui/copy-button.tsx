import { useState } from 'react';
import styles from './copy-button.module.css';
import { CheckIcon, CopyIcon } from './icons.tsx';
import { toast } from './toast.ts';

const SHOWN_MS = 2000;

/** A small button that copies `value`. `label` names it for screen readers, e.g. 复制用户ID. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setIsCopied(true);
      setTimeout(() => setIsCopied(false), SHOWN_MS);
    } catch {
      // Without permission or https there is no clipboard: the value beside the button can be selected instead.
      toast.warning('复制失败，请手动选择复制');
    }
  };
  return (
    <button
      type="button"
      className={`${styles['button']} touch-target`}
      aria-label={label}
      title={label}
      onClick={() => void copy()}
    >
      {isCopied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
      <span role="status" className="visually-hidden">
        {isCopied ? '已复制' : ''}
      </span>
    </button>
  );
}
