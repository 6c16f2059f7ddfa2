import type { FileType } from '../library/file-types.ts';
import type { FoundChart } from '../charts/chart-data.ts';
import type { FileFlag } from './rules.ts';
import type { WordBox } from './word-boxes.ts';

/** A visible page. `number` starts at 1. `image` is the absolute path of the page image; null for a page past the preview. */
export type PreparedPage = {
  number: number;
  /** Size of the page image in pixels; for a page without an image, the size that its image would have. */
  width: number;
  height: number;
  text: string;
  image: string | null;
  /**
   * Width in pixels of the large image that is drawn when a reader first asks for it; 0 or absent when the source has no more detail
   * than `image` shows.
   */
  largeWidth?: number;
};

/** The path of an image and its size in pixels. */
export type DrawnImage = { image: string; width: number; height: number };

/**
 * The cover of a file: a WebP image, 480 px wide. `color` is the dominant colour as `#rrggbb`. `larger` lists the cover at the other
 * widths of `ingestLimits.coverWidths` for which the source has enough pixels; `image` is null for a width that is drawn when somebody
 * asks for it.
 */
export type PreparedCover = {
  image: string;
  width: number;
  height: number;
  color: string;
  larger?: { width: number; image: string | null }[];
};

/** Everything that preparation found out about one file. Paths of images are absolute; storeMedia copies the images into the file store. */
export type PreparedFile = {
  fileType: FileType;
  /** Number of visible pages; hidden slides are not counted. */
  pageCount: number;
  pages: PreparedPage[];
  cover: PreparedCover;
  outline: { page: number; title: string }[];
  /** The beginning of the text: at most 300 characters, white space folded. */
  textExcerpt: string;
  /** Path of the PDF that LibreOffice made of a PPT or PPTX; null for a PDF, and when LibreOffice is not installed. */
  pdf: string | null;
  flags: FileFlag[];
  /** Path of the image that shows the thumbnails of the preview pages one below the other; null when no page was drawn. */
  strip?: string | null;
  /** The words of each preview page and their positions. */
  words?: WordBox[][];
  /** The charts of a file that was prepared on another machine, in their order. `picture` is the path of the picture; null without one. */
  charts?: PreparedChart[];
};

export type PreparedChart = FoundChart & { picture: string | null };

/** The facts that sniffing finds about a file that is accepted. */
export type Sniffed = {
  ok: true;
  fileType: FileType;
  bytes: number;
  /** SHA-256 of the content, 64 hex digits. */
  sha256: string;
  /** Number of slides that a PPTX lists, hidden slides included; null for PPT and PDF, whose pages are not counted yet. */
  slideCount: number | null;
  flags: FileFlag[];
};
