import { useMemo, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { DownloadButton } from '../../../membership/web/download-button.tsx';
import { buttonText, type Quote } from '../../../membership/web/quote-text.ts';
import type { Download } from '../../../membership/web/use-download.ts';
import { Button } from '../../../ui/button.tsx';
import { useCurrentSection } from '../../../ui/use-current-section.ts';
import { Sheet } from '../../../ui/sheet.tsx';
import type { DocumentDetail } from '../../contract.ts';
import { LockedPreview } from './locked-preview.tsx';
import { Titles } from '../outline.tsx';
import { PageImage } from './page-image.tsx';
import { titlesByPage } from '../page-name.ts';
import { PageViewer } from '../viewer/page-viewer.tsx';
import { PendingPreview } from './pending-preview.tsx';
import styles from './preview.module.css';
import { ShareButton } from '../share-button.tsx';
import { TextLayer } from './text-layer.tsx';
import { ThumbnailRail } from './thumbnail-rail.tsx';
import { usePageWords } from './use-page-words.ts';
import { usePreviewPages } from './use-preview-pages.ts';
import { useViewer } from '../viewer/use-viewer.ts';
import { END_ID, pageId, useWantedPage } from './use-wanted-page.ts';

/** The pages that the reader may see, in a column with thumbnails beside it; or the reason why there are none. */
export function Preview(props: {
  detail: DocumentDetail;
  isVisitor: boolean;
  download: Download;
  quote: Quote | null;
}) {
  const { detail, download } = props;
  const { revalidate } = useRevalidator();
  const { pages, strip, renew } = usePreviewPages(detail);
  const current = Number(useCurrentSection(pages.map((page) => pageId(page.number))).slice(2)) || 1;
  const beyond = useWantedPage(pages.length, detail.page_count);
  const words = usePageWords(detail);
  const titles = useMemo(() => titlesByPage(detail.outline), [detail.outline]);
  // One more than the previews where the document continues: the end of the preview.
  const viewer = useViewer(pages.length < detail.page_count && pages.length > 0 ? pages.length + 1 : pages.length);

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
          <div className={styles['actions']}>
            <OutlineButton detail={detail} />
            <span className={styles['wide']}>
              <ShareButton detail={detail} page={() => current} look="tool" />
            </span>
            <Button size="small" look="plain" onClick={() => viewer.open(current)}>
              全屏预览
            </Button>
          </div>
        </div>
        {detail.read_limited === 1 && (
          <p className={styles['limited']}>本月阅读次数已用完，下月 1 日恢复。预览{isOffered && '和下载'}不受影响。</p>
        )}
        <ol className={styles['pages']}>
          {pages.map((page) => (
            <li key={page.number} id={pageId(page.number)} className={styles['page']}>
              <PageImage
                page={page}
                title={titles.get(page.number) ?? ''}
                color={detail.cover_color}
                isLazy={page.number > 2}
                onOpen={() => viewer.open(page.number)}
                onRetry={renew}
              />
              <TextLayer {...page} words={words.get(page.number) ?? []} onOpen={() => viewer.open(page.number)} />
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
          {isOffered && <DownloadButton download={download} label={buttonText(props.quote)} look="quiet" />}
        </div>
      </div>
      {viewer.page !== null && (
        <PageViewer
          name={detail.name}
          pages={pages}
          total={detail.page_count}
          number={viewer.page}
          titles={titles}
          words={words}
          strip={strip}
          color={detail.cover_color}
          onTurn={viewer.turnTo}
          onClose={viewer.close}
          onDownload={isOffered ? download.start : null}
          onRetry={renew}
          share={<ShareButton detail={detail} page={() => Math.min(viewer.page ?? 0, pages.length)} look="icon" />}
        />
      )}
    </section>
  );
}

/** A button that opens the outline on a narrow screen, where the outline is far below the pages. */
function OutlineButton({ detail }: { detail: DocumentDetail }) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  if (detail.outline.length === 0) return null;
  return (
    <span className={styles['narrow']}>
      <Button ref={button} size="small" look="plain" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        目录
      </Button>
      {isOpen && (
        <Sheet title="全文目录" anchor={button} onClose={() => setIsOpen(false)}>
          <Titles titles={detail.outline} detail={detail} isVisitor={false} onGo={() => setIsOpen(false)} />
        </Sheet>
      )}
    </span>
  );
}
