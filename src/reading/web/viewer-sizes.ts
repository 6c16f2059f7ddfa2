import type { PreviewPage } from './use-preview-pages.ts';

/** Width of a page that fills the full-screen viewer: all of the window beside the arrows, or as much as its height leaves. */
export function viewerSizes({ width, height }: Pick<PreviewPage, 'width' | 'height'>): string {
  const ratio = (width / height).toFixed(4);
  return `(max-width: 767px) min(100vw, calc((100vh - 128px) * ${ratio})), min(calc(100vw - 128px), calc((100vh - 80px) * ${ratio}))`;
}
