import type { ReactNode } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { Cover } from '../../../ui/pictures/cover.tsx';
import { momentText, sizeText } from '../../../ui/text/format-text.ts';
import type { UploadItem } from '../../contract-uploads.ts';
import { uploadOriginalPath } from '../../rules-uploads.ts';
import type { UploadDialog } from './upload-dialogs.tsx';
import styles from './uploads.module.css';
import type { LocalUpload } from './upload-queue.ts';

const percentOf = ({ sent, file }: LocalUpload) => (file.size === 0 ? 0 : Math.floor((sent / file.size) * 100));

/** A file that this tab sends. */
export function LocalRow(props: {
  local: LocalUpload;
  onPause: () => void;
  onResume: () => void;
  onCancel: () => void;
  onDismiss: () => void;
}) {
  const { local } = props;
  const { phase } = local;
  const { name, size } = local.file;
  const percent = percentOf(local);
  const isOpen = phase === 'waiting' || phase === 'sending' || phase === 'paused';
  return (
    <Row cover="" name={name} onOpen={null}>
      {phase === 'failed' ? (
        <Failure message={`失败：${local.message}`} />
      ) : phase === 'waiting' ? (
        <Waiting label="等待中" />
      ) : (
        <Progress
          label={phase === 'checking' ? '正在检查' : phase === 'paused' ? '已暂停' : '上传中'}
          name={name}
          percent={phase === 'checking' ? null : percent}
          detail={`${sizeText(local.sent)} / ${sizeText(size)}`}
        />
      )}
      <Actions>
        {phase === 'sending' && (
          <Button size="small" aria-label={`暂停上传${name}`} onClick={props.onPause}>
            暂停
          </Button>
        )}
        {phase === 'paused' && (
          <Button size="small" aria-label={`继续上传${name}`} onClick={props.onResume}>
            继续
          </Button>
        )}
        {isOpen && (
          <Button size="small" look="plain" aria-label={`取消上传${name}`} onClick={props.onCancel}>
            取消
          </Button>
        )}
        {phase === 'failed' && (
          <Button size="small" look="plain" aria-label={`关闭${name}的提示`} onClick={props.onDismiss}>
            知道了
          </Button>
        )}
      </Actions>
    </Row>
  );
}

/** A file that the server knows. */
export function UploadRow({ upload, onOpen }: { upload: UploadItem; onOpen: (dialog: UploadDialog) => void }) {
  const { id, name, state } = upload;
  const isReady = state === 'ready';
  return (
    <Row cover={upload.cover_url} name={name} onOpen={isReady ? () => onOpen({ kind: 'preview', upload }) : null}>
      <State upload={upload} />
      <p className={styles['about']}>
        {upload.file_type_text && <span>{upload.file_type_text}</span>}
        {upload.page_count > 0 && <span>{upload.page_count} 页</span>}
        <span>{sizeText(upload.bytes)}</span>
        <span>{upload.is_own === 1 ? '我' : upload.added_by || '成员'} 上传</span>
        <span>{momentText(upload.add_time).slice(0, 10)}</span>
      </p>
      <Actions>
        {isReady && (
          <a className={styles['download']} href={uploadOriginalPath(id)} download aria-label={`下载${name}`}>
            下载
          </a>
        )}
        {upload.is_own === 1 ? (
          <Button
            size="small"
            look="plain"
            aria-label={`撤回${name}`}
            onClick={() => onOpen({ kind: 'withdraw', upload })}
          >
            撤回
          </Button>
        ) : upload.is_reported === 1 ? (
          <span className={styles['reported']}>已举报</span>
        ) : (
          <Button
            size="small"
            look="plain"
            aria-label={`举报${name}`}
            onClick={() => onOpen({ kind: 'report', upload })}
          >
            举报
          </Button>
        )}
      </Actions>
    </Row>
  );
}

/** Shows the state of an upload that is not finished, or why it failed. */
function State({ upload: { name, state, progress, message, is_shelved: isShelved } }: { upload: UploadItem }) {
  if (state === 'ready')
    return isShelved === 1 ? null : <Failure message={message || '还没有放上书架，重新上传即可'} />;
  if (state === 'failed') return <Failure message={`失败：${message}`} />;
  if (state === 'receiving') return <Failure message="没有传完，重新选择同一文件即可继续" />;
  // The progress is newer than the list, which may still say `queued` when the conversion has begun.
  if (state === 'queued' && progress === 0) return <Waiting label="排队中" />;
  return <Progress label="正在转换" name={name} percent={progress} detail="" />;
}

/** `onOpen` null: the file has no pages to look at. */
function Row(props: { cover: string; name: string; onOpen: (() => void) | null; children: ReactNode }) {
  const name = <span className={styles['lines']}>{props.name}</span>;
  return (
    <li className={styles['row']}>
      <Cover className={styles['cover']} src={props.cover} />
      <div className={styles['facts']}>
        <h3 className={styles['name']}>
          {props.onOpen ? (
            <button type="button" className={styles['open']} onClick={props.onOpen}>
              {name}
            </button>
          ) : (
            name
          )}
        </h3>
        {props.children}
      </div>
    </li>
  );
}

const Actions = ({ children }: { children: ReactNode }) => <div className={styles['actions']}>{children}</div>;

const Failure = ({ message }: { message: string }) => (
  <p className={styles['failure']} role="status">
    {message}
  </p>
);

const Waiting = ({ label }: { label: string }) => <p className={styles['about']}>{label}</p>;

/** `percent` null: how long it takes is not known. */
function Progress(props: { label: string; name: string; percent: number | null; detail: string }) {
  const { label, name, percent, detail } = props;
  return (
    <div className={styles['progress']}>
      <progress aria-label={`${name} ${label}`} max={100} {...(percent !== null && { value: percent })} />
      <p className={styles['about']}>
        <span>{label}</span>
        {percent !== null && <span>{percent}%</span>}
        {detail && <span>{detail}</span>}
      </p>
    </div>
  );
}
