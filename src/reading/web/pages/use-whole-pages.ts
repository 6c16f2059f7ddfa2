import { useEffect, useRef, useState } from 'react';
import { call } from '../../../accounts/web/call.ts';
import { useSession } from '../../../accounts/web/session.tsx';
import type { ReadingRight } from '../../../membership/rules.ts';
import { CODE } from '../../../protocol/codes.ts';
import { readPages, type DocumentDetail, type ReadPage } from '../../contract.ts';
import { decideReading, isReadable } from '../../rules.ts';
import type { PreviewPage, PreviewPages } from './use-preview-pages.ts';

/** How many pages are listed by one call, and how long before the end of what is listed the next call is made. */
const LISTED_AT_ONCE = 60;
const AHEAD = 12;

type WholePages = {
  right: ReadingRight;
  /** All pages that may be read; `src` of a page that is not listed yet is "". */
  pages: PreviewPage[];
  /** Takes fresh links to all pages, whose links have expired or could not be had. */
  renew: () => void;
  /** The reader has the right, and the PDF of the deck is still being made. */
  isPending: boolean;
};

/** Returns what a detail page knows of the reader's right: the server decides when pages are listed. */
export function useReadingRight(detail: DocumentDetail): ReadingRight {
  const { member } = useSession();
  return decideReading({
    isOwned: detail.owned === 1,
    tier: member?.is_vip ?? 0,
    isOverLimit: detail.read_limited === 1,
  });
}

/** Returns how many pages of the document this reader may see, from the first. */
export function useReadablePages(detail: DocumentDetail): number {
  return isReadable(useReadingRight(detail)) ? detail.page_count : detail.page_urls.length;
}

/**
 * Returns the preview and, for readers with the right, the pages after it, which are listed around the page `current`
 * when the viewer first comes near them. After a failure or a refusal the next turn asks again, and so does `renew`. Null for `current`
 * while the viewer is closed.
 */
export function useWholePages(detail: DocumentDetail, preview: PreviewPages, current: number | null): WholePages {
  const previews = preview.pages;
  const right = useReadingRight(detail);
  const canRead = isReadable(right);
  const [listed, setListed] = useState<ReadonlyMap<number, ReadPage>>(new Map());
  const [isPending, setIsPending] = useState(false);
  /** Where the lists begin that could not be had. */
  const [failed, setFailed] = useState<ReadonlySet<number>>(new Set());
  const asked = useRef(new Set<number>());
  const { fid, page_count: total } = detail;
  const wanted = current === null ? 0 : firstUnlisted(listed, { from: current, previews: previews.length, total });

  useEffect(() => {
    if (!canRead || wanted === 0 || asked.current.has(wanted)) return;
    asked.current.add(wanted);
    void call(readPages, { fid, from: wanted, count: LISTED_AT_ONCE })
      .catch(() => null)
      .then((reply) => {
        const list = reply?.code === CODE.ok ? reply.data : null;
        setIsPending(reply?.code === CODE.failed || list?.pending === 1);
        setFailed((before) => new Set([...before].filter((from) => from !== wanted).concat(list ? [] : wanted)));
        if (list) setListed((before) => new Map([...before, ...list.pages.map((page) => [page.page, page] as const)]));
        else asked.current.delete(wanted);
      });
  }, [fid, canRead, wanted, current, listed]);

  const renew = () => {
    asked.current.clear();
    setFailed(new Set());
    setListed(new Map());
    preview.renew();
  };
  if (!canRead || isPending) return { right, pages: previews, renew, isPending };
  const last = previews.at(-1);
  const after = Array.from({ length: Math.max(total - previews.length, 0) }, (_, index): PreviewPage => {
    const number = previews.length + index + 1;
    const page = listed.get(number);
    if (!page) {
      const hasFailed = [...failed].some((from) => number >= from && number < from + LISTED_AT_ONCE);
      return { number, src: '', hasFailed, width: last?.width ?? 16, height: last?.height ?? 9 };
    }
    const { url, url_2x: large, width, height } = page;
    const srcSet = `${url} ${width}w, ${large} ${width * 2}w`;
    return { number, src: url, srcSet, width: width || 16, height: height || 9, thumbnail: page.thumbnail_url };
  });
  return { right, pages: [...previews, ...after], renew, isPending };
}

/**
 * Returns the first page near `from` that is not listed, where the next call begins; 0 when all are listed. Pages of the
 * preview need no listing.
 */
export function firstUnlisted(
  listed: ReadonlyMap<number, unknown>,
  { from, previews, total }: { from: number; previews: number; total: number },
): number {
  const isKnown = (page: number) => page <= previews || listed.has(page);
  // A reader who jumps into the middle also turns back.
  const first = Math.max(from - AHEAD, 1);
  for (let page = first; page <= Math.min(from + AHEAD, total); page++) if (!isKnown(page)) return page;
  return 0;
}
