import { useEffect, useRef, useState, type RefObject } from 'react';

/**
 * Returns whether the image of `src` failed. Pass `image` as the image's ref and `onError`; `retry` resets the failure.
 */
export function useImageFailure(src: string): {
  image: RefObject<HTMLImageElement | null>;
  isFailed: boolean;
  onError: () => void;
  retry: () => void;
} {
  const image = useRef<HTMLImageElement>(null);
  const [failedSrc, setFailedSrc] = useState<string | null>(null);
  useEffect(() => {
    // The image may have failed before this script was loaded.
    const { complete, naturalWidth } = image.current ?? { complete: false, naturalWidth: 0 };
    if (complete && naturalWidth === 0) setFailedSrc(src);
  }, [src]);
  return { image, isFailed: failedSrc === src, onError: () => setFailedSrc(src), retry: () => setFailedSrc(null) };
}
