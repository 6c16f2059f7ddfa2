import { useState } from 'react';
import { useRevalidator } from 'react-router';
import type { DocumentDetail } from '../../contract.ts';

/**
 * `srcSet`: the page in its sizes, for an `<img>`; undefined where there is only `src`. `src` is "" for a page whose link
 * is not known yet. `width` and `height` are those of `src`. `thumbnail`: a small image of the page alone; undefined for
 * pages of the preview, whose thumbnails are parts of the strip. `hasFailed`: its link could not be had.
 */
export type PreviewPage = {
  number: number;
  src: string;
  srcSet?: string | undefined;
  width: number;
  height: number;
  thumbnail?: string;
  hasFailed?: boolean;
};

export type PreviewPages = {
  pages: PreviewPage[];
  /** URL of the image with small versions of all pages, one below the other; "" when there is none. */
  strip: string;
  renew: () => void;
};

/**
 * Returns the page images. Their links are signed at every load of the data; the first links are kept while the pages
 * are the same, or every reload (after a download, say) would fetch all images again. `renew` takes fresh links.
 */
export function usePreviewPages(detail: DocumentDetail): PreviewPages {
  const { revalidate } = useRevalidator();
  const [kept, setKept] = useState(detail.page_urls);
  const [keptLarge, setKeptLarge] = useState(detail.page_urls_2x);
  const [strip, setStrip] = useState(detail.strip_url);
  const [isRenewing, setIsRenewing] = useState(false);
  const isOther = kept.map(fileOf).join() !== detail.page_urls.map(fileOf).join();
  const isFresh = isRenewing && kept[0] !== detail.page_urls[0];
  if (isOther || isFresh) {
    setKept(detail.page_urls);
    setKeptLarge(detail.page_urls_2x);
    setStrip(detail.strip_url);
    setIsRenewing(false);
  }
  const pages = kept.map((src, index) => {
    const size = detail.page_sizes[index];
    const large = keptLarge[index];
    const largeWidth = detail.page_sizes_2x[index]?.width ?? 0;
    return {
      number: index + 1,
      src,
      srcSet: size && large && largeWidth > 0 ? `${src} ${size.width}w, ${large} ${largeWidth}w` : undefined,
      width: size?.width || 16,
      height: size?.height || 9,
    };
  });
  return {
    pages,
    strip,
    renew() {
      setIsRenewing(true);
      void revalidate();
    },
  };
}

const fileOf = (url: string) => url.split('?', 1)[0];
