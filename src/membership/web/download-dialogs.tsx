import { Modal } from '@mantine/core';
import { useState } from 'react';
import { CODE } from '../../protocol/codes.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import styles from './download-dialogs.module.css';
import { coinQuestion } from './quote-text.ts';
import type { Download, DownloadDialog } from './use-download.ts';

/** Renders the question about coins, and 温馨提示 with the server's message (C-36, C-42). Put it once on the page. */
export function DownloadDialogs({ download }: { download: Download }) {
  const { dialog } = download;
  // The dialog keeps its content while it fades out.
  const [shown, setShown] = useState<DownloadDialog | null>(dialog);
  if (dialog && dialog !== shown) setShown(dialog);
  return (
    <Modal
      opened={dialog !== null}
      onClose={download.dismiss}
      title={shown?.kind === 'coin' ? '确认下载' : '温馨提示'}
      size={400}
    >
      <p className={styles['text']}>{shown?.kind === 'coin' ? coinQuestion(shown.quote) : shown?.message}</p>
      {shown?.kind === 'coin' && <p className={styles['note']}>下载后永久归您所有，再次下载不重复扣费。</p>}
      {shown?.kind === 'refused' && shown.code === CODE.downloadLimit && (
        <p className={styles['note']}>免费下载次数下月 1 日恢复，也可以充值喵币继续下载。</p>
      )}
      {shown?.kind === 'refused' && shown.missing > 0 && (
        <p className={styles['note']}>还差 {shown.missing.toLocaleString('en-US')} 喵币</p>
      )}
      <div className={styles['actions']}>
        <Button onClick={download.dismiss}>取消</Button>
        {shown?.kind === 'coin' ? (
          <Button look="primary" onClick={download.confirm} data-autofocus>
            确认下载
          </Button>
        ) : (
          <LinkButton to="/aboutVip#coins" look="primary" onClick={download.dismiss} data-autofocus>
            去充值
          </LinkButton>
        )}
      </div>
    </Modal>
  );
}
