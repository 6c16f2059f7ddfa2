import { useEffect, useMemo, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { PageCharts } from '../../../charts/web/page-charts.tsx';
import { ShareButton } from '../../../library/web/share/share-button.tsx';
import { DownloadButton } from '../../../membership/web/download/download-button.tsx';
import { costTag, pricedButtonText, type Quote } from '../../../membership/web/download/quote-text.ts';
import type { Download } from '../../../membership/web/download/use-download.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { importPart, LazyBoundary, lazyWithRetry } from '../../../ui/feedback/lazy-boundary.tsx';
import { useCurrentSection } from '../../../ui/navigation/use-current-section.ts';
import { Sheet } from '../../../ui/feedback/sheet.tsx';
import { FullScreenIcon } from '../../../ui/pictures/tool-icons.tsx';
import type { DocumentDetail } from '../../contract.ts';
import { EndOfPreview, useWaysToRead } from './end-of-preview.tsx';
import { LockedPreview, PendingPreview } from './preview-without-pages.tsx';
import { chartFavorite, DetailFavorite } from '../detail-favorite.tsx';
import { Titles } from '../outline.tsx';
import { PageImage } from '../pages/page-image.tsx';
import { titlesByPage } from '../../preview-pages.ts';
import { isReadable } from '../../rules.ts';
import { hitBoxes } from '../pages/find-hits.ts';
import styles from './preview.module.css';
import { TextLayer, usePageWords } from '../pages/text-layer.tsx';
import { ThumbnailRail } from '../pages/thumbnails.tsx';
import { usePreviewPages } from '../pages/use-preview-pages.ts';
import { useReadingPosition } from '../viewer/use-reading-position.ts';
import { useOpenAt, useViewer } from '../viewer/use-viewer.ts';
import { useReadingRight, useWholePages } from '../pages/use-whole-pages.ts';
import { END_ID, pageId, useMarkedWords, useWantedPage } from '../pages/use-wanted-page.ts';

/** The viewer is as large as the rest of the page's script: it is loaded after the page, and only where there are pages to open. */
const loadViewer = () => import('../viewer/page-viewer.tsx').then((module) => module.PageViewer);
const PageViewer = lazyWithRetry(loadViewer);

/** Loads all pages: paper has no part that is out of sight. */
function loadImages(): void {
  for (const image of document.images) image.loading = 'eager';
}

/** The pages that the reader may see, in a column with thumbnails beside it; or the reason why there are none. */
export function Preview(props: {
  detail: DocumentDetail;
  isVisitor: boolean;
  download: Download;
  quote: Quote | null;
}) {
  const { detail, download } = props;
  const { revalidate } = useRevalidator();
  const preview = usePreviewPages(detail);
  const { pages, strip } = preview;
  const current = Number(useCurrentSection(pages.map((page) => pageId(page.number))).slice(2)) || 1;
  const { beyond, pageToOpen } = useWantedPage(pages.length, detail.page_count);
  const words = usePageWords(detail);
  const marked = useMarkedWords(detail.fid);
  const titles = useMemo(() => titlesByPage(detail.outline), [detail.outline]);
  const right = useReadingRight(detail);
  const canRead = isReadable(right);
  const readable = canRead ? detail.page_count : pages.length;
  // One more than the pages of this reader where the document continues: what they may do next.
  const viewer = useViewer(readable < detail.page_count && pages.length > 0 ? readable + 1 : readable);
  const whole = useWholePages(detail, preview, viewer.page);
  const lastRead = useReadingPosition(detail, viewer.page === null ? null : Math.min(viewer.page, readable));
  useOpenAt(canRead ? beyond : 0, viewer);
  const isLocked = !canRead && pages.length > 0 && readable < detail.page_count;
  const isNear = beyond > 0 || Math.max(current, viewer.page ?? 0) >= readable - 1;
  const hasPages = pages.length > 0;
  useEffect(() => {
    window.addEventListener('beforeprint', loadImages);
    return () => window.removeEventListener('beforeprint', loadImages);
  }, []);
  useEffect(() => {
    // A press of the button tries again.
    if (hasPages) importPart(loadViewer).catch(() => {});
  }, [hasPages]);
  const ways = useWaysToRead(detail.fid, isLocked ? readable + 1 : 0, isNear);

  if (props.isVisitor) return <LockedPreview detail={detail} wanted={beyond} />;
  if (pages.length === 0) return <PendingPreview detail={detail} onRetry={() => void revalidate()} />;
  const isOffered = detail.preview_only === 0;
  const isWhole = pages.length >= detail.page_count;
  const isPending = whole.isPending || detail.whole_pending === 1;
  const endOfPreview = (
    <EndOfPreview detail={detail} right={right} ways={ways} page={beyond || readable + 1} isPending={isPending} />
  );
  // The address names the page at which the viewer was closed, before that page is recorded.
  const next = Math.min(beyond || Math.max(lastRead, pages.length + 1), readable);
  const { page: opened } = viewer;
  return (
    <section className={styles['preview']} aria-label="方案预览">
      <ThumbnailRail pages={pages} strip={strip} current={current} color={detail.cover_color} />
      <div className={styles['column']}>
        <div className={styles['tools']} data-screen>
          <p>
            第 <b>{current}</b> / {detail.page_count} 页
          </p>
          <div className={styles['actions']}>
            <OutlineButton detail={detail} />
            <span className={styles['wide']}>
              <ShareButton document={detail} page={() => current} look="tool" />
            </span>
            <Button size="small" look="plain" onClick={() => viewer.open(pageToOpen())}>
              <FullScreenIcon size={18} /> 全屏预览
            </Button>
          </div>
        </div>
        <LastRead page={lastRead} readable={readable} onOpen={viewer.open} />
        {detail.read_limited === 1 && (
          <p className={styles['limited']}>本月阅读次数已用完，下月 1 日恢复。预览{isOffered && '和下载'}不受影响。</p>
        )}
        <ol className={styles['pages']}>
          {pages.map((page) => (
            <li key={page.number} id={pageId(page.number)} className={styles['page']} tabIndex={-1}>
              <PageImage
                page={page}
                title={titles.get(page.number) ?? ''}
                color={detail.cover_color}
                isLazy={page.number > 2}
                onOpen={() => viewer.open(page.number)}
                onRetry={whole.renew}
              />
              <TextLayer
                {...page}
                words={words.get(page.number) ?? []}
                hits={marked.flatMap((word) => hitBoxes(words.get(page.number) ?? [], [word]))}
                onOpen={() => viewer.open(page.number)}
              />
              <PageCharts charts={detail.chart_list} page={page.number} look="line" tools={chartFavorite} />
            </li>
          ))}
        </ol>
        <div id={END_ID} className={styles['end']}>
          {beyond > 0 && !canRead && (
            <p>
              您要找的内容在 <b>第 {beyond} 页</b>，不在预览的 {pages.length} 页之内
            </p>
          )}
          {isWhole ? (
            <p>全文完，共 {detail.page_count} 页</p>
          ) : canRead && !isPending ? (
            <>
              <p>后面还有 {detail.page_count - pages.length} 页</p>
              <Button look="primary" onClick={() => viewer.open(next)}>
                继续阅读第 {next} 页
              </Button>
            </>
          ) : (
            endOfPreview
          )}
          {isOffered && (
            <DownloadButton download={download} label={pricedButtonText(props.quote, detail.price)} look="quiet" />
          )}
        </div>
      </div>
      {opened !== null && (
        <LazyBoundary onOpenChange={(isOpen) => (isOpen ? viewer.open(opened) : viewer.close())}>
          <PageViewer
            detail={detail}
            pages={whole.pages}
            previews={pages.length}
            number={opened}
            titles={titles}
            words={words}
            marked={marked}
            strip={strip}
            onTurn={viewer.turnTo}
            onClose={viewer.close}
            end={(close) => (
              <>
                {endOfPreview}
                {isOffered && (
                  <Button
                    look="primary"
                    onClick={() => {
                      close();
                      download.start();
                    }}
                  >
                    {pricedButtonText(props.quote, detail.price)}
                  </Button>
                )}
              </>
            )}
            onRetry={whole.renew}
            tools={
              <>
                <span className={styles['cost']} data-owned={props.quote?.method === 'owned'}>
                  {isOffered ? costTag(props.quote, detail.price) : '仅供预览'}
                </span>
                <PageCharts charts={detail.chart_list} page={opened} look="icon" tools={chartFavorite} />
                <DetailFavorite detail={detail} look="icon" />
                <ShareButton document={detail} page={() => Math.min(opened, readable)} look="icon" />
              </>
            }
          />
        </LazyBoundary>
      )}
    </section>
  );
}

/** Names the page read last. The line is there from the start or not at all, so that it never moves the pages. */
function LastRead({ page, readable, onOpen }: { page: number; readable: number; onOpen: (page: number) => void }) {
  const [isShown] = useState(page > 1 && page <= readable);
  return (
    isShown && (
      <p className={styles['lastRead']}>
        上次读到第 {page} 页
        <Button size="small" look="plain" onClick={() => onOpen(page)}>
          继续阅读
        </Button>
      </p>
    )
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
