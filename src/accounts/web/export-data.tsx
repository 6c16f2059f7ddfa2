import { useEffect, useState, type ReactNode } from 'react';
import { CODE } from '../../protocol/codes.ts';
import type { Answer } from '../../protocol/endpoint.ts';
import { Button } from '../../ui/button.tsx';
import { momentText } from '../../ui/time-text.ts';
import { toast } from '../../ui/toast.ts';
import { exportAccount, exportStatus } from '../contract.ts';
import { call } from './call.ts';
import styles from './export-data.module.css';
import { Row } from './settings-rows.tsx';
import { useSending } from './use-sending.ts';

type Copy = Answer<typeof exportStatus>;

const LOOK_AGAIN_MS = 2000;

/** A copy of everything kept about oneself, as a ZIP (C-74): asked for, waited for, downloaded within 24 hours. */
export function ExportData(props: { copy: Copy | null }) {
  const [copy, setCopy] = useState(props.copy);
  const { isSending, send } = useSending();
  const isPending = copy?.status === 'pending';
  useEffect(() => {
    if (!isPending) return;
    const timer = setInterval(() => {
      if (document.hidden) return;
      void call(exportStatus, {})
        .then((reply) => reply.code === CODE.ok && setCopy(reply.data))
        // It is asked again in a moment.
        .catch(() => null);
    }, LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isPending]);

  const ask = send(async () => {
    const reply = await call(exportAccount, {});
    if (reply.code !== CODE.ok) return toast.warning(reply.message);
    setCopy(reply.data);
  });
  return (
    <Row
      label="导出"
      action={
        copy?.status === 'ready' ? (
          <a className={styles['file']} href={copy.url} download>
            下载 ZIP
          </a>
        ) : (
          <Button size="small" disabled={isSending || isPending} onClick={ask}>
            {isPending ? '正在生成…' : '导出我的数据'}
          </Button>
        )
      }
    >
      <span role="status">{textOf(copy)}</span>
    </Row>
  );
}

function textOf(copy: Copy | null): ReactNode {
  switch (copy?.status) {
    case 'pending':
      return '正在整理您的数据，可以离开此页，稍后再来';
    case 'ready':
      return (
        <>
          已生成（{sizeText(copy.size)}），<span className={styles['moment']}>{momentText(copy.expire_at)}</span>{' '}
          前可下载
        </>
      );
    case 'failed':
      return '生成失败，请重试';
    case 'none':
    case undefined:
      return '账号资料、登录、下载与喵币记录的一份副本';
  }
}

const sizeText = (bytes: number) =>
  bytes < 1_048_576 ? `${Math.max(Math.round(bytes / 1024), 1)} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`;
