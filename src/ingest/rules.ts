/**
 * Limits of ingest, in one place. Bytes are bytes, times are milliseconds, lengths of slides are EMU (914,400 to the
 * inch), lengths of PDF pages are points (72 to the inch), lengths of images are pixels.
 */
const MiB = 1024 * 1024;

export const ingestLimits = {
  fileBytes: 200 * MiB,
  /** Ingest pauses before its disk is full, and before the site calls itself not ready (256 MiB). */
  freeDataBytes: 512 * MiB,
  freeTempBytes: 128 * MiB,

  zipEntries: 20_000,
  zipTotalBytes: 1024 * MiB,
  zipEntryBytes: 256 * MiB,
  zipXmlBytes: 32 * MiB,
  /** All XML parts of one file together; a real deck of 500 slides stays under a third of this. */
  zipXmlTotalBytes: 128 * MiB,
  /** A part may shrink more than this only while it is small. */
  zipRatio: 200,
  zipRatioFromBytes: 10 * MiB,
  xmlDepth: 256,
  /** Of one part; real slides have under a fifth of it. */
  xmlElements: 500_000,
  /** Of all parts of a file; 128 MB of real slides would have 6 million. */
  xmlElementsTotal: 4_000_000,

  slides: 500,
  pdfPages: 1_000,
  /** PowerPoint's own bounds: 1 to 56 inches. */
  slideSideMinEmu: 914_400,
  slideSideMaxEmu: 51_206_400,
  pageSideMinPt: 3,
  /** PDF's own bound: 200 inches. */
  pageSideMaxPt: 14_400,
  pageAspect: 20,

  pagePixels: 4_000_000,
  pageImageWidth: 1_280,
  /** Of the second image of a page, for dense screens and the full-screen viewer. */
  largePageWidth: 2_560,
  largePagePixels: 8_000_000,
  /** A large image must be this many times wider than the normal one, or it is not worth its bytes. */
  largePageMinGain: 1.25,
  /** The first width always exists, enlarged if need be; the others only where the source has the pixels. */
  coverWidths: [480, 960, 1_600],
  previewPages: 10,

  convertWallMs: 60_000,
  convertWallMsPerSlide: 300,
  convertBatchWallMs: 20_000,
  convertBatchWallMsPerFile: 3_000,
  /** LibreOffice's time for one file in all, with the batch it shared and what was added for slides. */
  convertTotalWallMs: 200_000,
  convertCpuSeconds: 60,
  convertMemoryBytes: 4096 * MiB,
  convertFileBytes: 512 * MiB,
  /** What LibreOffice and all it starts may have resident together; good decks stay under 400 MB. */
  convertResidentBytes: 2048 * MiB,
  /** Processes of one LibreOffice; it needs three, and six with what cuts it off. */
  convertProcesses: 32,
  /** A PDF made of a deck; the largest deck is 200 MB. */
  convertedBytes: 256 * MiB,
  /**
   * Of the renderer, beside twice the PDF, of which it holds two copies. Good files stay under 300 MB; a bomb of
   * strokes has 800 when its time is up.
   */
  renderResidentBytes: 1000 * MiB,
  renderPageMs: 8_000,
  renderWallMs: 50_000,
  renderWallMsPerPage: 100,
  /** A child is started again after a page that hung, the first time for that page at the normal size; not for ever. */
  renderRestarts: 5,

  titleChars: 120,
  excerptChars: 300,
  pageTextChars: 20_000,
} as const;

/** What a deck may take of LibreOffice alone, after the time of a batch that made nothing of it. Milliseconds. */
export function convertAloneWallMs(slides: number | null, spentMs: number): number {
  const { convertWallMs, convertWallMsPerSlide, convertTotalWallMs } = ingestLimits;
  return Math.max(0, Math.min(convertWallMs + (slides ?? 0) * convertWallMsPerSlide, convertTotalWallMs - spentMs));
}

/**
 * Which sizes of images a preparation draws; it is recorded with each file. 1: covers 480 and pages 1,280 pixels wide. 2: also covers of
 * 960 and 1,600 and pages of 2,560. Raise it when the sizes change: `ceku convert --outdated-images` finds files by it.
 */
export const IMAGES_VERSION = 2;

export const fileTypes = ['pptx', 'ppt', 'pdf'] as const;
export type FileType = (typeof fileTypes)[number];

/**
 * What is worth knowing of a file that was accepted. `preview-pending`: drawn without a converter, to be finished
 * later. `pages-missing`: some pages have a placeholder. `text-partial`: some pages could not be read in time.
 * `pages-differ`: the PDF has not as many pages as the deck has slides.
 */
export const fileFlags = [
  'extension-mismatch',
  'external-media',
  'macros',
  'owner-password',
  'scripts',
  'trailing-data',
  'zip-repaired',
  'preview-pending',
  'pages-missing',
  'text-partial',
  'pages-differ',
] as const;
export type FileFlag = (typeof fileFlags)[number];

/** Found while a file was prepared: a new preparation finds them anew. The others were seen in the file itself. */
const PREPARED_FLAGS: readonly string[] = ['preview-pending', 'pages-missing', 'text-partial', 'pages-differ'];

/** The flags of a file after it was prepared again. */
export function mergeFlags(before: readonly string[], found: readonly FileFlag[]): string[] {
  return [...new Set([...before.filter((flag) => !PREPARED_FLAGS.includes(flag)), ...found])];
}
