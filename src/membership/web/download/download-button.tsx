import { Button } from '../../../ui/controls/button.tsx';
import styles from './download-button.module.css';
import type { Download } from './use-download.ts';

/**
 * Renders the download button, which becomes its progress bar. `label` says what a press does. `look` is quiet where
 * another button on the page is the primary one.
 */
export function DownloadButton(props: {
  download: Download;
  label: string;
  look?: 'primary' | 'quiet';
  size?: 'large';
}) {
  const { phase, start } = props.download;
  const isBusy = phase.name === 'asking' || phase.name === 'transferring';
  return (
    <>
      <Button
        look={props.look ?? 'primary'}
        {...(props.size && { size: props.size })}
        className={styles['button']}
        // Not `disabled`: that would lose the focus while the file is transferred.
        aria-disabled={isBusy}
        onClick={start}
      >
        {phase.name === 'transferring' && (
          <span className={styles['bar']} style={{ transform: `scaleX(${phase.share})` }} />
        )}
        <span className={styles['label']}>{labelOf(props.download, props.label)}</span>
      </Button>
      <span role="status" className="visually-hidden">
        {phase.name === 'transferring' ? '正在下载' : ''}
      </span>
    </>
  );
}

function labelOf({ phase }: Download, idle: string): string {
  switch (phase.name) {
    case 'idle':
      return idle;
    case 'asking':
      return '请稍候…';
    case 'transferring':
      return `下载中 ${Math.floor(phase.share * 100)}%`;
    case 'failed':
      return '重试下载';
  }
}
