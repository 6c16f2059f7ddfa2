import { useEffect, useRef, useState } from 'react';
import { call } from '../../../accounts/web/call.ts';
import { useSending } from '../../../accounts/web/login/use-sending.ts';
import { CODE } from '../../../protocol/codes.ts';
import type { Answer } from '../../../protocol/endpoint.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextArea } from '../../../ui/controls/text-field.tsx';
import { ConfirmForm } from '../../../ui/feedback/confirm-form.tsx';
import { Sheet } from '../../../ui/feedback/sheet.tsx';
import { toast } from '../../../ui/feedback/toast.tsx';
import { getUpload, reportUpload, withdrawUpload, type UploadItem } from '../../contract-uploads.ts';
import { REASON_CHARACTERS } from '../../rules-uploads.ts';
import styles from './uploads.module.css';

/** The dialog that is open about an uploaded file. */
export type UploadDialog = { kind: 'preview' | 'withdraw' | 'report'; upload: UploadItem };

const TITLES: Record<UploadDialog['kind'], (name: string) => string> = {
  preview: (name) => name,
  withdraw: () => '撤回文件',
  report: () => '举报文件',
};

type Props = { dialog: UploadDialog; onClose: () => void; onChanged: () => Promise<void> };

export function UploadDialogs(props: Props) {
  const { kind, upload } = props.dialog;
  return (
    <Sheet title={TITLES[kind](upload.name)} isWide={kind === 'preview'} onClose={props.onClose}>
      {kind === 'preview' ? (
        <Preview {...props} />
      ) : kind === 'withdraw' ? (
        <Withdraw {...props} />
      ) : (
        <Report {...props} />
      )}
    </Sheet>
  );
}

/** The pages one below the other. */
function Preview({ dialog: { upload }, onClose, onChanged }: Props) {
  const [detail, setDetail] = useState<Answer<typeof getUpload> | 'failed' | null>(null);
  const { id } = upload;
  // The list behind the dialog renders while a file is uploaded, with new callbacks each time: in a ref they start no second call.
  const leave = useRef(() => {});
  leave.current = () => {
    onClose();
    void onChanged();
  };
  useEffect(() => {
    let isOver = false;
    void call(getUpload, { id })
      .catch(() => null)
      .then((reply) => {
        if (isOver) return;
        if (reply?.code === CODE.ok && reply.data) return setDetail(reply.data);
        if (reply?.code !== CODE.notFound) return setDetail('failed');
        toast.info('文件已撤回');
        leave.current();
      });
    return () => {
      isOver = true;
    };
  }, [id]);
  if (detail === null) return <p className={styles['waiting']}>正在打开…</p>;
  if (detail === 'failed') return <p className={styles['waiting']}>暂时无法打开，请稍后再试</p>;
  const { pages, download_url: href } = detail;
  return (
    <div className={styles['preview']}>
      <p className={styles['previewHead']}>
        <span>
          {pages.length < upload.page_count
            ? `预览前 ${pages.length} 页，共 ${upload.page_count} 页`
            : `${pages.length} 页`}
        </span>
        <a className={styles['download']} href={href} download>
          下载原文件
        </a>
      </p>
      {pages.map(({ url, width, height }, index) => (
        <img
          key={url}
          src={url}
          width={width}
          height={height}
          alt={`第 ${index + 1} 页`}
          loading={index < 2 ? 'eager' : 'lazy'}
          decoding="async"
        />
      ))}
    </div>
  );
}

function Withdraw({ dialog: { upload }, onClose, onChanged }: Props) {
  const { isSending, send } = useSending();
  const withdraw = send(async () => {
    const reply = await call(withdrawUpload, { id: upload.id });
    // 4: taken back already, in another tab.
    if (reply.code !== CODE.ok && reply.code !== CODE.notFound) return toast.warning(reply.message);
    await onChanged();
    onClose();
    toast.success('已撤回');
  });
  return (
    <ConfirmForm
      question={`撤回“${upload.name}”？文件和页面会立即删除，社群成员不能再看到，也不能恢复。`}
      cancel="保留"
      confirm="撤回"
      isSending={isSending}
      onConfirm={withdraw}
      onClose={onClose}
    />
  );
}

function Report({ dialog: { upload }, onClose, onChanged }: Props) {
  const { isSending, send } = useSending();
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string | null>(null);
  const report = send(async () => {
    const reply = await call(reportUpload, { id: upload.id, reason });
    if (reply.code === CODE.invalid) return setError(reply.message);
    if (reply.code !== CODE.ok) return toast.warning(reply.message);
    await onChanged();
    onClose();
    toast.success(reply.message);
  });
  return (
    <form className={styles['form']} onSubmit={report} noValidate>
      <TextArea
        label={`“${upload.name}”有什么问题？`}
        placeholder="如：侵犯著作权、含有广告或违法内容"
        rows={3}
        maxLength={REASON_CHARACTERS}
        value={reason}
        error={error}
        onChange={(event) => {
          setReason(event.currentTarget.value);
          setError(null);
        }}
        data-autofocus
      />
      <Button type="submit" look="primary" size="large" disabled={isSending}>
        提交举报
      </Button>
    </form>
  );
}
