import type { PreviewPage } from './use-preview-pages.ts';

/**
 * `sizes` of a page in the full-screen viewer: the width of the window beside the arrows, or what its height allows.
 */
export function viewerSizes({ width, height }: Pick<PreviewPage, 'width' | 'height'>): string {
  const ratio = (width / height).toFixed(4);
  return `(max-width: 767px) min(100vw, calc((100vh - 128px) * ${ratio})), min(calc(100vw - 128px), calc((100vh - 80px) * ${ratio}))`;
}
