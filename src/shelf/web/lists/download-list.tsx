import { ShareButton } from '../../../library/web/share/share-button.tsx';
import { DownloadDialogs } from '../../../membership/web/download/download-dialogs.tsx';
import { useDownload } from '../../../membership/web/download/use-download.ts';
import { DownloadIcon } from '../../../ui/pictures/tool-icons.tsx';
import { momentText, priceText } from '../../../ui/text/format-text.ts';
import type { RecordItem } from '../../contract-history.ts';
import styles from './download-list.module.css';
import { KeptItem } from './kept-item.tsx';
import { KeptPage, NothingKept, type KeptListProps } from './kept-page.tsx';

/** The documents that the member has downloaded or bought, each to be downloaded again without paying (C-84). */
export function DownloadList(props: KeptListProps<RecordItem>) {
  return (
    <KeptPage
      {...props}
      label="下载记录"
      invitation="登录后查看下载过的方案"
      empty={<NothingKept text="您还没有下载过任何报告~" />}
    >
      {(file) => (
        <KeptItem
          key={file.fid}
          document={file}
          line={`${momentText(file.download_time ?? 0)} · ${paidText(file)}`}
          tools={
            <>
              {file.can_download === 1 && <AgainButton file={file} />}
              {file.offline === 0 && <ShareButton document={file} page={() => 0} look="row" />}
            </>
          }
        />
      )}
    </KeptPage>
  );
}

function paidText({ method, cost = 0 }: RecordItem): string {
  if (method === 'coupon') return '下载券';
  return priceText(method === 'coin' ? cost : 0);
}

/** 重新下载: the same call as the first download, which costs nothing for an owner. */
function AgainButton({ file }: { file: RecordItem }) {
  const download = useDownload(file.fid);
  const { phase } = download;
  const isBusy = phase.name === 'asking' || phase.name === 'transferring';
  return (
    <>
      <button
        type="button"
        className={styles['again']}
        // Not `disabled`: that would lose the focus while the file is transferred.
        aria-disabled={isBusy}
        aria-label={`重新下载《${file.name}》`}
        onClick={download.start}
      >
        <DownloadIcon size={18} />
        {phase.name === 'transferring'
          ? `${Math.floor(phase.share * 100)}%`
          : phase.name === 'failed'
            ? '重试'
            : '重新下载'}
      </button>
      <DownloadDialogs download={download} />
    </>
  );
}
