import type { Ctx } from '../../../context.ts';
import type { StepDetail, StepName } from '../../steps.ts';
import type { IngestPool } from '../convert/converter-pool.ts';
import type { PptxFacts } from '../formats/pptx-facts.ts';
import type { FileRow } from '../store/files.ts';

/** What a step of one file may use. Paths are of this machine and valid while the step runs. */
export type StepInput = {
  ctx: Ctx;
  /** As it was when the step began. */
  file: FileRow;
  /** The file as it came. */
  original: string;
  /** Scratch folder of this run; removed afterwards, also after a kill. */
  workDir: string;
  /** Path of LibreOffice; null when it is not installed. */
  converter: string | null;
  /** What a PPTX says of itself, read once a run; null for other types. */
  facts(): Promise<PptxFacts | null>;
  /** What an earlier step recorded; null when it is not done. */
  detailOf(step: StepName): StepDetail | null;
  /** Runs LibreOffice and the renderer, so many at once as the machine was given. */
  pool: IngestPool;
  /** Throws the signal's reason, or passes it on: the process is asked to stop. */
  signal: AbortSignal | undefined;
  /** The PDF to look at: the original, or the deck's rendition; null when there is none (no LibreOffice). */
  withPdf<T>(use: (path: string | null) => Promise<T>): Promise<T>;
};

/** `save` runs in one transaction with the step's own record: rows and record commit or vanish together. */
export type StepResult = { detail?: StepDetail; save?: (tx: Ctx) => Promise<void> };

/**
 * One step: idempotent, since a run may be cut off anywhere and the step is then begun again. It puts files into the
 * store first and names them in `save`. Throws RefusedError for what is the file's or this machine's; anything else is
 * tried again.
 */
export type Step = {
  name: StepName;
  /** A failure is recorded and the way goes on, unless the database or a disk is what failed. */
  isOptional?: boolean;
  run(input: StepInput): Promise<StepResult>;
};
