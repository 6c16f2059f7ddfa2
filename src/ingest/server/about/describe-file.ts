import type { Ctx, TransactionCtx } from '../../../context.ts';
import { fillLabels } from '../../../library/server/documents.ts';
import {
  knownVersions,
  NEIGHBORS,
  lockVersions,
  recordVersions,
} from '../../../library/server/versions/record-versions.ts';
import {
  withoutRunningLines,
  countWords,
  keywordsOf,
  rarityIn,
  vectorOf,
  weighWords,
} from '../../about/weigh-words.ts';
import { isVersionOf, MIN_SHINGLES, type VersionFacts, type VersionReason } from '../../about/is-version.ts';
import { proposeIndustry, proposeThemes, scoreLabels } from '../../about/propose-labels.ts';
import { proposeType } from '../../about/propose-type.ts';
import { doubtsOfFlags } from '../../remarks.ts';
import { fingerprintOf } from '../../about/text-fingerprint.ts';
import { excerptOf } from '../../page-text.ts';
import { withoutPlaceholders } from '../../placeholders.ts';
import { chooseTitle, cleanTitle, isTelling, titleOfFile } from '../../titles.ts';
import { lockDestroyed, selectPageTexts, updateFile, type FileRow } from '../store/files.ts';
import { coverLines } from './cover-lines.ts';
import { distinctName } from './distinct-name.ts';
import { countWordsJob } from './jobs.ts';
import { DESCRIPTION_VERSION } from './is-description-missing.ts';
import {
  updateNewFileCount,
  replaceWords,
  selectSimilarFiles,
  selectVersionFacts,
  selectNameOfFile,
  selectNearHashes,
  selectSameTitle,
  selectWordCounts,
  upsertFingerprint,
  type FingerprintRow,
  type WordCounting,
} from './store.ts';
import { generalRarity, lexicon, stopWords, tagWords } from './word-tools.ts';
import sharp from 'sharp';
import { StoreMissing } from '../../../platform/files/file-store.ts';
import { HASHED_SIDE, pictureHash } from '../../about/picture-hash.ts';

/** How many words of a file are saved to count in how many files each word occurs. */
const COUNTED_WORDS = 200;
/** How many files are compared by each word, and the least similarity that is saved. */
const HEAVIEST_OF_WORD = 200;
const MIN_LIKENESS = 0.1;
const SAME_QUARTER = 50;

/** Keywords, labels, excerpt and fingerprint of a file, ready to be saved. */
export type Description = FingerprintRow & {
  vector: { word: string; weight: number }[];
  pageCount: number;
  textExcerpt: string;
  /** The title that the name of the file gives, which a better title may replace. */
  fileTitle: string;
  /** Reasons why an operator should look at the document. */
  doubts: string[];
};

/**
 * Describes a prepared file by the text of its pages and its cover. Saves nothing. Calls `coreTitle` only when neither
 * the name of the file nor its first page gives a title.
 */
export async function describeFile(
  ctx: Ctx,
  file: FileRow,
  coreTitle: () => Promise<string> = () => Promise.resolve(''),
): Promise<Description> {
  const texts = await selectPageTexts(ctx.db, file.id);
  const pages = withoutRunningLines(texts.map(withoutPlaceholders));
  const headings = file.outline.map(({ title }) => title);
  const firstPage = file.outline.find(({ page }) => page === 1)?.title ?? '';
  const fileTitle = titleOfFile(file.originalName);
  const isTold = isTelling(fileTitle) || isTelling(cleanTitle(firstPage));
  const cover = await coverLines(ctx, file);
  const chosen = chooseTitle({
    fileName: file.originalName,
    cover,
    firstPage,
    core: isTold ? '' : await coreTitle(),
  });
  const { title } = chosen;
  const name = (await selectNameOfFile(ctx.db, file.id)) || title;
  const text = { name: name === fileTitle ? title : name, headings, pages };

  const counted = countWords(text, { tagWords, stopWords: stopWords() });
  const elsewhere = await selectWordCounts(
    ctx.db,
    counted.map(({ word }) => word),
  );
  const words = weighWords(counted, rarityIn(elsewhere, generalRarity()));
  return {
    fileId: file.id,
    version: DESCRIPTION_VERSION,
    ...fingerprintOf(texts),
    coverHash: await coverHash(ctx, file.mediaKey),
    title,
    titleReason: chosen.reason,
    words: words.slice(0, COUNTED_WORDS).map(({ word }) => word),
    keywords: keywordsOf(words),
    proposals: {
      themes: proposeThemes(scoreLabels(text, lexicon(), 'theme', tagWords)),
      industry: proposeIndustry(scoreLabels(text, lexicon(), 'industry', tagWords)),
      type: proposeType(text.name),
    },
    vector: vectorOf(words),
    pageCount: file.pageCount,
    textExcerpt: excerptOf(texts, { areLinesWhole: file.fileType === 'pptx' }),
    fileTitle,
    doubts: [...chosen.doubts, ...doubtsOfFlags(file.flags)],
  };
}

/**
 * Saves a description, finds similar files and versions of the same document, and fills in the labels that nobody has
 * given to the documents which wait for the file. Call it inside `transact`. Running it twice changes nothing more.
 */
export async function saveDescription(tx: TransactionCtx, description: Description): Promise<void> {
  const { vector, pageCount: _pages, textExcerpt, fileTitle, doubts, ...row } = description;
  await lockVersions(tx);
  // The text was read before this transaction; a file that was destroyed since gets no words again.
  if (await lockDestroyed(tx.db, row.fileId)) return;
  const isNew = await upsertFingerprint(tx.db, row);
  if (isNew && isRecountDue(await updateNewFileCount(tx.db)))
    await tx.jobs.add(countWordsJob, {}, { key: countWordsJob.name, priority: 10 });
  await replaceWords(tx.db, row.fileId, vector);
  const options = { each: HEAVIEST_OF_WORD, least: MIN_LIKENESS, limit: NEIGHBORS };
  const neighbors = await selectSimilarFiles(tx.db, row.fileId, vector, options);
  const versions = await findVersions(
    tx,
    description,
    neighbors.map(({ fileId }) => fileId),
  );
  await recordVersions(tx, row.fileId, { neighbors, versions: versions.map(({ fileId }) => fileId) });
  const same = [row.fileId, ...versions.map(({ fileId }) => fileId)];
  const name = await distinctName(tx.db, row.title, row.keywords, same);
  const shared = name === row.title ? [] : [`another document is called ${row.title}`];
  await updateFile(tx.db, row.fileId, { doubts: [...doubts, ...shared], textExcerpt });
  await fillLabels(tx, row.fileId, {
    name: name === fileTitle ? null : { text: name, unless: fileTitle },
    keywords: row.keywords,
    themes: row.proposals.themes.map(({ name }) => name),
    industry: row.proposals.industry?.name ?? null,
    type: row.proposals.type?.name ?? null,
  });
}

async function findVersions(
  tx: TransactionCtx,
  self: Description,
  alike: number[],
): Promise<{ fileId: number; reason: VersionReason }[]> {
  // A file without text has no hash to compare.
  const near = self.shingleCount > 0 ? await selectNearHashes(tx.db, self.fileId, self.simhash, SAME_QUARTER) : [];
  const textless =
    self.shingleCount < MIN_SHINGLES
      ? await selectSameTitle(tx.db, self.fileId, self.title, MIN_SHINGLES, SAME_QUARTER)
      : [];
  const known = await knownVersions(tx, self.fileId);
  const candidates = await selectVersionFacts(tx.db, [...new Set([...alike, ...near, ...textless, ...known])]);
  const own: VersionFacts = { ...self, cover: self.coverHash ?? null };
  return candidates.flatMap((other) => {
    const reason = isVersionOf(own, other);
    return reason ? [{ fileId: other.fileId, reason }] : [];
  });
}

/** Returns the picture hash of a file's cover, a WebP that this site made; null without a cover. */
async function coverHash(ctx: Ctx, mediaKey: string): Promise<string | null> {
  try {
    return await ctx.files.withLocalPath(`media/${mediaKey}/cover.webp`, async (path) => {
      const { data } = await sharp(path)
        .greyscale()
        .resize(HASHED_SIDE, HASHED_SIDE, { fit: 'fill' })
        .raw()
        .toBuffer({ resolveWithObject: true });
      return pictureHash(data);
    });
  } catch (error) {
    // A cover that cannot be read counts as missing.
    if (error instanceof StoreMissing || (error instanceof Error && /input file/i.test(error.message))) return null;
    throw error;
  }
}

const MIN_NEW = 50;
const GROWTH = 0.05;

/** Whether the words must be counted again: the logarithms hardly change before the library has grown by this share. */
export function isRecountDue({ countedFiles, newFiles }: WordCounting): boolean {
  return newFiles >= Math.max(MIN_NEW, countedFiles * GROWTH);
}
