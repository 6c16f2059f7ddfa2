import type { FileFlag, FileType } from './rules.ts';
import type { WordBox } from './word-boxes.ts';

/** One visible page, counted from 1. `image` is an absolute path in the work folder, null past the preview. */
export type PreparedPage = {
  number: number;
  /** Size of the page image in pixels (of a page without image: what it would be). */
  width: number;
  height: number;
  text: string;
  image: string | null;
  /** The same page drawn larger, up to 2,560 px wide; left out where the source has no more detail than `image` shows. */
  large?: DrawnImage | null;
};

/** Path of an image and its size in pixels. */
export type DrawnImage = { image: string; width: number; height: number };

/**
 * Cover image, WebP, 480 px wide. `color` is its dominant colour as `#rrggbb`. `larger` are the same cover at the other widths of
 * `ingestLimits.coverWidths` that its source has the pixels for.
 */
export type PreparedCover = {
  image: string;
  width: number;
  height: number;
  color: string;
  larger?: { width: number; image: string }[];
};

/**
 * Everything ingest knows of one accepted file, before anything is stored. Paths are absolute and lie in the work
 * folder; whoever publishes copies them away and removes the folder.
 */
export type PreparedFile = {
  fileType: FileType;
  /** Visible pages: hidden slides are not counted. */
  pageCount: number;
  pages: PreparedPage[];
  cover: PreparedCover;
  outline: { page: number; title: string }[];
  /** At most 300 characters, white space folded. */
  textExcerpt: string;
  /** Speaker notes by page; empty for PPT and PDF. */
  notes: { page: number; text: string }[];
  /** Path of the PDF made of a PPT or PPTX; null for a PDF, and while the converter is missing. */
  pdf: string | null;
  flags: FileFlag[];
  /** Path of the thumbnails of the preview pages, one below the other; null where nothing was drawn. */
  strip?: string | null;
  /** Words of the preview pages and where they stand. */
  words?: WordBox[][];
};

export type PrepareStage = 'facts' | 'convert' | 'render' | 'done';

export type PrepareFileInput = {
  path: string;
  fileType: FileType;
  /** An existing, empty folder of the caller's; images and the PDF are written here. */
  workDir: string;
  /** Pages that get an image, from the first; default 10. */
  previewPages?: number;
  signal?: AbortSignal;
  onProgress?: (progress: { stage: PrepareStage; done: number; total: number }) => void;
  /** A transparent PNG burnt into the page images. */
  mark?: string | null;
  /** WebP effort 0 (fast) to 6 (small); default 2. */
  encodeEffort?: number;
  /** A PDF of the deck made earlier (by a batch, say): it is not converted again. */
  pdf?: string;
  /** Path of LibreOffice; null to do without; left out, it is looked up. */
  converter?: string | null;
};

/** What sniffing says of an accepted file. `pageCount` is null when only conversion can tell (PPT, PDF). */
export type Sniffed = {
  ok: true;
  fileType: FileType;
  bytes: number;
  /** SHA-256 of the content, 64 hex digits. */
  sha256: string;
  /** For PPTX: slides listed in the presentation, hidden ones included. */
  slideCount: number | null;
  flags: FileFlag[];
};
