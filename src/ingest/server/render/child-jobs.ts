import type { HeadLine } from '../../page-text.ts';
import type { DrawnImage, PreparedCover } from '../../prepared-file.ts';
import type { RefusalCode } from '../../refusals.ts';
import type { WordBox } from '../../word-boxes.ts';
import type { FileIdentity } from '../source/open-source.ts';
import type { ChartFrame } from '../../../charts/chart-data.ts';

/** A job of the render child. The parent writes the job to a JSON file and sends the path of that file. */
export type ChildJob = RenderJob | PagesJob | CutJob | FigureJob | ReadJob | FixDatesJob;

/** Draw the pages of a PDF and read their text. Pages count from 1. */
export type RenderJob = {
  kind: 'render';
  /** Path of the PDF; null to make only a cover of `picture`. */
  pdf: string | null;
  /**
   * The file that must be at `pdf`; left out for a PDF that this site made. The parent checks it when it copies the
   * file.
   */
  pdfIs?: FileIdentity | undefined;
  /** A picture to make the cover of, when there is no PDF. */
  picture: string | null;
  outDir: string;
  /** JSON lines are appended here: a pipe would lose its tail when the child is killed. */
  results: string;
  firstPage: number;
  previewPages: number;
  effort: number;
  needCover: boolean;
  needBookmarks: boolean;
  /** PNG paths, by page number, of pages that poppler has drawn. */
  drawn: Record<string, string>;
  /**
   * Path of a transparent PNG, in the scale of the large images, drawn over the lower right corner of every page image;
   * null for none.
   */
  mark: string | null;
};

/** Draw single pages of a PDF that a reader asked for. Pages count from 1. */
export type PagesJob = {
  kind: 'draw-pages';
  pdf: string;
  outDir: string;
  /** JSON lines are appended here. */
  results: string;
  pages: number[];
  /**
   * `normal`: page image, thumbnail and words. `large`: the large image as well, twice the time. `thumbnail`: the
   * thumbnail alone, a fifth of the time. `cover`: the largest cover alone.
   */
  size: 'normal' | 'large' | 'thumbnail' | 'cover';
  /** As in RenderJob. */
  drawn: Record<string, string>;
  /** As in RenderJob. */
  mark: string | null;
};

/** One line of the results of a PagesJob. */
export type PagesLine =
  | {
      kind: 'page';
      page: number;
      normal: DrawnImage;
      large: DrawnImage | null;
      /** Width in pixels of the large image that the page may have; 0 when it would show no more detail. */
      largeWidth: number;
      thumbnail: DrawnImage;
      words: WordBox[];
    }
  | { kind: 'thumbnail'; page: number; thumbnail: DrawnImage }
  | { kind: 'cover'; page: number; cover: string }
  | { kind: 'failed'; page: number }
  | { kind: 'refused'; code: RefusalCode; detail: string };

/** Cut pictures of charts out of the pages of a deck's PDF. */
export type CutJob = {
  kind: 'cut-charts';
  pdf: string;
  outDir: string;
  /** JSON lines are appended here. */
  results: string;
  /** The number of pages that the PDF must have. With any other number the positions are wrong and nothing is cut. */
  pages: number;
  frames: { index: number; page: number; frame: ChartFrame }[];
};

/** One chart that was cut out: paths of its pictures, and the size of the display picture in pixels. */
export type CutLine = { index: number; display: string; original: string; width: number; height: number };

/** Find the figures of a tagged PDF. */
export type FigureJob = { kind: 'find-figures'; pdf: string; results: string };

/** One line of the results of a FigureJob. A PDF without tags has no figures. */
export type FigureLine =
  | { kind: 'document'; pageCount: number }
  | { kind: 'figure'; page: number; alt: string; frame: ChartFrame };

/** Read the XML of a deck, which may be a hundred megabytes of untrusted tags. */
export type ReadJob = {
  kind: 'read-deck';
  what: 'facts' | 'charts';
  deck: string;
  /** One JSON object is written here. */
  results: string;
};

/** Write a copy of a deck into `outDir`, with the text of its date fields in their place. */
export type FixDatesJob = {
  kind: 'fix-dates';
  deck: string;
  outDir: string;
  /** A line is written here when the copy is complete. */
  results: string;
};

/** One line of the results file of a RenderJob. */
export type RenderLine =
  /** `isEncrypted`: the file was opened without a password, and its owner's password forbids changes. */
  | { kind: 'document'; pageCount: number; isEncrypted: boolean }
  | { kind: 'bookmarks'; items: { page: number; title: string }[] }
  /**
   * `wide`: the lines that are letter-spaced (letter-spacing.ts); `head`: the lines that may be the title
   * (page-head.ts).
   */
  | { kind: 'text'; page: number; text: string; wide: string[]; head: HeadLine[]; widthPt: number; heightPt: number }
  | { kind: 'words'; page: number; words: WordBox[] }
  | {
      kind: 'image';
      page: number;
      image: string;
      width: number;
      height: number;
      /** Width in pixels of the large image that the page may have; 0 when it would show no more detail. */
      largeWidth: number;
      thumbnail: string;
    }
  | ({ kind: 'cover' } & PreparedCover)
  | { kind: 'failed'; page: number; reason: 'page-size' | 'unreadable' }
  | { kind: 'refused'; code: RefusalCode; detail: string }
  | { kind: 'done' };

/** Sent to the parent when work on a page begins. Page 0: the document is being opened, its pages are not counted yet. */
export type ChildProgress = { page: number; pageCount: number };

/** Tells the parent which page begins. Resolves when the message has left. */
export type ReportProgress = (page: number, pageCount: number) => Promise<void>;

/** Sent to the parent when the child has finished a job and waits for the next. `residentBytes`: memory of the child. */
export type ChildIdle = { residentBytes: number };
