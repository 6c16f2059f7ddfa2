import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { DownloadButton } from '../../membership/web/download-button.tsx';
import type { Download } from '../../membership/web/use-download.ts';
import { Button } from '../../ui/button.tsx';
import { useCurrentSection } from '../../ui/use-current-section.ts';
import type { DocumentDetail } from '../contract.ts';
import { LockedPreview } from './locked-preview.tsx';
import { PageImage } from './page-image.tsx';
import { PageViewer } from './page-viewer.tsx';
import { PendingPreview } from './pending-preview.tsx';
import styles from './preview.module.css';
import { TextLayer } from './text-layer.tsx';
import { ThumbnailRail } from './thumbnail-rail.tsx';
import { usePageWords } from './use-page-words.ts';
import { usePreviewPages } from './use-preview-pages.ts';
import { END_ID, useWantedPage } from './use-wanted-page.ts';

/** The pages one may see, in a column with thumbnails beside it; or why there are none. */
export function Preview(props: { detail: DocumentDetail; isVisitor: boolean; download: Download }) {
  const { detail, download } = props;
  const { revalidate } = useRevalidator();
  const { pages, strip, renew } = usePreviewPages(detail);
  const current = Number(useCurrentSection(pages.map((page) => `p${page.number}`)).slice(1)) || 1;
  const beyond = useWantedPage(pages.length, detail.page_count);
  const words = usePageWords(detail);
  const [opened, setOpened] = useState<number | null>(null);

  if (props.isVisitor) return <LockedPreview detail={detail} />;
  if (pages.length === 0) return <PendingPreview detail={detail} onRetry={() => void revalidate()} />;
  const isOffered = detail.preview_only === 0;
  const isWhole = pages.length >= detail.page_count;
  return (
    <section className={styles['preview']} aria-label="方案预览">
      <ThumbnailRail pages={pages} strip={strip} current={current} color={detail.cover_color} />
      <div className={styles['column']}>
        <div className={styles['tools']}>
          <p>
            第 <b>{current}</b> / {detail.page_count} 页
          </p>
          <Button size="small" look="plain" onClick={() => setOpened(current)}>
            全屏预览
          </Button>
        </div>
        <ol className={styles['pages']}>
          {pages.map((page) => (
            <li key={page.number} id={`p${page.number}`} className={styles['page']}>
              <PageImage
                page={page}
                color={detail.cover_color}
                isLazy={page.number > 2}
                onOpen={() => setOpened(page.number)}
                onRetry={renew}
              />
              <TextLayer {...page} words={words.get(page.number) ?? []} onOpen={() => setOpened(page.number)} />
            </li>
          ))}
        </ol>
        <div id={END_ID} className={styles['end']}>
          {beyond > 0 && (
            <p>
              您要找的内容在 <b>第 {beyond} 页</b>，不在预览的 {pages.length} 页之内
            </p>
          )}
          {isWhole ? (
            <p>全文完，共 {detail.page_count} 页</p>
          ) : (
            <p>
              预览到此为止，共 {detail.page_count} 页{isOffered && '，下载后可看全部'}
            </p>
          )}
          {isOffered && <DownloadButton download={download} look="quiet" />}
        </div>
      </div>
      {opened !== null && (
        <PageViewer
          name={detail.name}
          pages={pages}
          total={detail.page_count}
          first={opened}
          onClose={() => setOpened(null)}
          onDownload={isOffered ? download.start : null}
        />
      )}
    </section>
  );
}
