import { useId, useRef, useState, type DragEvent } from 'react';
import { useRevalidator } from 'react-router';
import { Button } from '../../../ui/controls/button.tsx';
import { LazyBoundary, lazyWithRetry } from '../../../ui/feedback/lazy-boundary.tsx';
import { Pager } from '../../../ui/navigation/pager.tsx';
import { sizeText } from '../../../ui/text/format-text.ts';
import type { UploadList, UploadQuota } from '../../contract-uploads.ts';
import type { UploadDialog } from './upload-dialogs.tsx';
import { LocalRow, UploadRow } from './upload-rows.tsx';
import styles from './uploads.module.css';
import { ACCEPTED_NAMES, useFileUploads } from './use-file-uploads.ts';
import { useTasks } from './use-tasks.ts';

const UploadDialogs = lazyWithRetry(async () => (await import('./upload-dialogs.tsx')).UploadDialogs);

/** Renders what members uploaded to a group: the button and drop zone, files on their way, and the files with their pages. */
export function UploadSection({ list, hrefOf }: { list: UploadList; hrefOf: (page: number) => string }) {
  const { group, uploads, quota } = list;
  const { revalidate } = useRevalidator();
  const { locals, add, pause, resume, cancel, dismiss } = useFileUploads(group.id, quota, revalidate);
  const [dialog, setDialog] = useState<UploadDialog | null>(null);
  const headingId = useId();
  const inTab = new Set(locals.map(({ key }) => key));
  // A file that this tab is sending has a row of its own already.
  const shown = uploads.filter(({ state, oss_name: key }) => state !== 'receiving' || !inTab.has(key));
  const progress = useTasks(shown, revalidate);
  return (
    <section className={styles['section']} aria-labelledby={headingId}>
      <header className={styles['head']}>
        <h2 id={headingId} className={styles['title']}>
          {group.joined === 1 ? '成员上传的文件' : '我上传的文件'}
        </h2>
        <p className={styles['quota']}>{quotaText(quota)}</p>
      </header>
      {group.joined === 1 && <DropZone onFiles={add} />}
      {locals.length + shown.length > 0 && (
        <ul className={styles['rows']}>
          {locals.map((local) => (
            <LocalRow
              key={`local-${local.id}`}
              local={local}
              onPause={() => void pause(local.id)}
              onResume={() => resume(local.id)}
              onCancel={() => void cancel(local.id)}
              onDismiss={() => dismiss(local.id)}
            />
          ))}
          {shown.map((upload) => (
            <UploadRow
              key={upload.id}
              upload={{ ...upload, progress: progress.get(upload.id) ?? upload.progress }}
              onOpen={setDialog}
            />
          ))}
        </ul>
      )}
      <Pager page={list.page} pageSize={list.page_size} total={list.total} hrefOf={hrefOf} label="上传的文件" />
      {dialog && (
        <LazyBoundary onOpenChange={(isOpen) => setDialog(isOpen ? dialog : null)}>
          <UploadDialogs
            dialog={dialog}
            // A call that ends after its dialog was closed must not close the dialog that was opened since.
            onClose={() => setDialog((open) => (open === dialog ? null : open))}
            onChanged={revalidate}
          />
        </LazyBoundary>
      )}
    </section>
  );
}

const quotaText = (quota: UploadQuota) =>
  `我已上传 ${quota.files} / ${quota.max_files} 个，${quota.bytes === 0 ? '0' : sizeText(quota.bytes)} / ${sizeText(quota.max_bytes)}`;

/** The button that chooses files, on an area where files can be dropped. */
function DropZone({ onFiles }: { onFiles: (files: Iterable<File>) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(true);
  };
  const take = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    onFiles([...event.dataTransfer.files]);
  };
  return (
    <div
      className={styles['zone']}
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={take}
    >
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={ACCEPTED_NAMES.join(',')}
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])]);
          // The same file may be chosen again, to go on with it.
          event.currentTarget.value = '';
        }}
      />
      <Button look="primary" onClick={() => input.current?.click()}>
        上传文件
      </Button>
      <p className={styles['hint']}>
        <span className={styles['drop']}>或把文件拖到这里。</span>
        PPT、PPTX、PDF，单个不超过 200 MB；仅本社群成员可预览和下载，不会出现在搜索里。
      </p>
    </div>
  );
}
