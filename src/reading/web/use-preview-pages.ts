import { useState } from 'react';
import { useRevalidator } from 'react-router';
import type { DocumentDetail } from '../contract.ts';

/** `srcSet`: the page in its sizes, for an `<img>`; undefined where there is only `src`. `width` and `height` are those of `src`. */
export type PreviewPage = { number: number; src: string; srcSet?: string | undefined; width: number; height: number };

/**
 * The page images. Their links are signed anew at every load of the data; the first ones are kept while the same pages
 * are meant, or else every reload (after a download, say) would fetch all images again. `renew` takes fresh links.
 */
export function usePreviewPages(detail: DocumentDetail): {
  pages: PreviewPage[];
  /** All of them small in one image, one below the other; "" without. */
  strip: string;
  renew: () => void;
} {
  const { revalidate } = useRevalidator();
  const [kept, setKept] = useState(detail.page_urls);
  const [strip, setStrip] = useState(detail.strip_url);
  const [isRenewing, setIsRenewing] = useState(false);
  const isOther = kept.map(fileOf).join() !== detail.page_urls.map(fileOf).join();
  const isFresh = isRenewing && kept[0] !== detail.page_urls[0];
  if (isOther || isFresh) {
    setKept(detail.page_urls);
    setStrip(detail.strip_url);
    setIsRenewing(false);
  }
  const pages = kept.map((src, index) => {
    const size = detail.page_sizes[index];
    return { number: index + 1, src, width: size?.width || 16, height: size?.height || 9 };
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
