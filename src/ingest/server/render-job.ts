import type { HeadLine } from '../page-text.ts';
import type { DrawnImage, PreparedCover } from '../prepared-file.ts';
import type { RefusalCode } from '../refusals.ts';
import type { WordBox } from '../word-boxes.ts';
import type { FileIdentity } from './open-source.ts';

/** What the parent asks of a render child: a JSON file whose path it sends. Pages count from 1. */
export type RenderJob = {
  /** Path of the PDF; null to make only a cover of `picture`. */
  pdf: string | null;
  /** Which file must lie there; left out of files of ours. The parent looks when it copies the file for the child. */
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
  /** False draws every page at the normal size only: a page took too much time or memory at the large one. */
  isLarge: boolean;
  /** Pages another renderer has drawn already, as PNG. */
  drawn: Record<string, string>;
  /** A transparent PNG laid over the lower right corner of every page image, drawn for the large ones; null for none. */
  mark: string | null;
};

/** One line of the results file. */
export type RenderLine =
  | { kind: 'document'; pageCount: number }
  | { kind: 'bookmarks'; items: { page: number; title: string }[] }
  /** `wide`: what of the text is set wide (spread-letters.ts); `head`: what may be its title (page-head.ts). */
  | { kind: 'text'; page: number; text: string; wide: string[]; head: HeadLine[]; widthPt: number; heightPt: number }
  | { kind: 'words'; page: number; words: WordBox[] }
  | {
      kind: 'image';
      page: number;
      image: string;
      width: number;
      height: number;
      large: DrawnImage | null;
      thumbnail: string;
    }
  | ({ kind: 'cover' } & PreparedCover)
  | { kind: 'failed'; page: number; reason: 'page-size' | 'unreadable' }
  | { kind: 'refused'; code: RefusalCode; detail: string }
  | { kind: 'done' };

/** Heartbeat over the channel: this step starts now. Page 0: the document is opened, its pages not yet counted. */
export type RenderBeat = { page: number; pageCount: number };

/** The child is through with a job and waits for the next. */
export type RenderRest = { restingBytes: number };
