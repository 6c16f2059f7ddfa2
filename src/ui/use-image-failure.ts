import { useEffect, useRef, useState, type RefObject } from 'react';

/** Whether the image of `src` failed. Give the image `image` as its ref and `onError`; `retry` forgets the failure. */
export function useImageFailure(src: string): {
  image: RefObject<HTMLImageElement | null>;
  isFailed: boolean;
  onError: () => void;
  retry: () => void;
} {
  const image = useRef<HTMLImageElement>(null);
  const [failedSrc, setFailedSrc] = useState<string | null>(null);
  useEffect(() => {
    // It may have failed before this script was there to hear of it.
    const { complete, naturalWidth } = image.current ?? { complete: false, naturalWidth: 0 };
    if (complete && naturalWidth === 0) setFailedSrc(src);
  }, [src]);
  return { image, isFailed: failedSrc === src, onError: () => setFailedSrc(src), retry: () => setFailedSrc(null) };
}
