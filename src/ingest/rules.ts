const MiB = 1024 * 1024;

/**
 * The limits of ingest. Sizes are in bytes, times in milliseconds, lengths of slides in EMU (914,400 to the inch),
 * lengths of PDF pages in points (72 to the inch), lengths of images in pixels.
 */
export const ingestLimits = {
  fileBytes: 200 * MiB,
  /**
   * Free space below which ingest pauses; larger than the 256 MiB below which the site reports that it is not ready.
   */
  freeDataBytes: 512 * MiB,
  freeTempBytes: 128 * MiB,

  zipEntries: 20_000,
  zipTotalBytes: 1024 * MiB,
  zipEntryBytes: 256 * MiB,
  zipXmlBytes: 32 * MiB,
  /** Limit for the content types and for the relationships of one part; a deck of 500 slides needs less than a quarter of it. */
  zipRelsBytes: MiB,
  /** Limit for all XML parts of a file together; a real deck of 500 slides has less than a third of this. */
  zipXmlTotalBytes: 128 * MiB,
  /** Highest compression ratio of a part larger than `zipRatioFromBytes`. */
  zipRatio: 200,
  zipRatioFromBytes: 10 * MiB,
  xmlDepth: 256,
  /** Limit per part; real slides have less than a fifth of it. */
  xmlElements: 500_000,
  /** Limit for all parts of a file together. Real slides reach 6 million only with 128 MB of XML. */
  xmlElementsTotal: 4_000_000,

  slides: 500,
  pdfPages: 1_000,
  /** PowerPoint's own limits: 1 to 56 inches. */
  slideSideMinEmu: 914_400,
  slideSideMaxEmu: 51_206_400,
  pageSideMinPt: 3,
  /** PDF's own limit: 200 inches. */
  pageSideMaxPt: 14_400,
  pageAspect: 20,

  pagePixels: 4_000_000,
  pageImageWidth: 1_280,
  /** Width of the large page image, for dense screens and the full-screen viewer. */
  largePageWidth: 2_560,
  largePagePixels: 8_000_000,
  /** A large image is made only when it is at least this many times wider than the normal one. */
  largePageMinGain: 1.25,
  /** The first width always exists, enlarged if necessary; the others exist only when the source has enough pixels. */
  coverWidths: [480, 960, 1_600],
  previewPages: 10,

  convertWallMs: 60_000,
  convertWallMsPerSlide: 300,
  convertBatchWallMs: 20_000,
  convertBatchWallMsPerFile: 3_000,
  /** Time limit of LibreOffice for one file, including the batch it was in and the time for its slides. */
  convertTotalWallMs: 200_000,
  /** On a busy machine LibreOffice waits for a processor. These waits are added to its time limits, up to this multiple of each limit. */
  convertBusyFactor: 10,
  convertCpuSeconds: 60,
  convertMemoryBytes: 4096 * MiB,
  convertFileBytes: 512 * MiB,
  /** Resident memory of LibreOffice and its descendants together; good decks stay under 400 MB. */
  convertResidentBytes: 2048 * MiB,
  /** Processes of one LibreOffice. It needs three, and six with the programs of the sandbox. */
  convertProcesses: 32,
  /** Largest PDF that is made of a deck; the largest deck is 200 MB. */
  convertedBytes: 256 * MiB,
  /**
   * Resident memory of the renderer, added to twice the size of the PDF, which it holds twice. Good files stay under
   * 300 MB; a hostile PDF of millions of strokes reaches 800 MB at the time limit.
   */
  renderResidentBytes: 1000 * MiB,
  /** On a busy machine the renderer waits for a processor. These waits are added to its time limits, up to this multiple of each limit. */
  renderBusyFactor: 5,
  renderPageMs: 8_000,
  renderWallMs: 50_000,
  renderWallMsPerPage: 100,
  /** How often a child is started again after a page that hung, at the page after it. */
  renderRestarts: 5,

  titleChars: 120,
  excerptChars: 300,
  pageTextChars: 20_000,
} as const;

/** Returns the time limit in milliseconds for converting some decks together. */
export const convertTogetherWallMs = (decks: number): number =>
  ingestLimits.convertBatchWallMs + decks * ingestLimits.convertBatchWallMsPerFile;

/**
 * Returns the time limit in milliseconds for converting a deck alone, after a batch that spent `spentMs` without making
 * its PDF.
 */
export function convertAloneWallMs(slides: number | null, spentMs: number): number {
  const { convertWallMs, convertWallMsPerSlide, convertTotalWallMs } = ingestLimits;
  return Math.max(0, Math.min(convertWallMs + (slides ?? 0) * convertWallMsPerSlide, convertTotalWallMs - spentMs));
}

/**
 * Version of the image sizes that a preparation draws; it is saved with each file. 1: covers 480 and pages 1,280 pixels
 * wide. 2: also covers of 960 and 1,600, and the width of each page's large image (`pages.large_width`). Raise it when the sizes change: `ceku convert
 * --outdated-images` finds older files.
 */
export const IMAGES_VERSION = 2;

/**
 * Remarks on a file that was accepted. `preview-pending`: prepared without LibreOffice, to be completed later.
 * `pages-missing`: some pages have a placeholder. `text-partial`: some pages could not be read in time. `pages-differ`:
 * the PDF has another number of pages than the deck has slides. `no-text`: no page has readable text. `blank`: no page shows anything.
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
  'no-text',
  'blank',
] as const;
export type FileFlag = (typeof fileFlags)[number];

/** Flags that preparation sets, and that a new preparation replaces. The other flags are set by sniffing. */
const PREPARED_FLAGS: readonly string[] = [
  'preview-pending',
  'pages-missing',
  'text-partial',
  'pages-differ',
  'no-text',
  'blank',
];

/** Returns the flags of a file after it was prepared again. */
export function mergeFlags(before: readonly string[], found: readonly FileFlag[]): string[] {
  return [...new Set([...before.filter((flag) => !PREPARED_FLAGS.includes(flag)), ...found])];
}

/** Width in pixels of the largest cover. Cards show the smaller ones. */
export const LARGEST_COVER_WIDTH = Math.max(...ingestLimits.coverWidths);
