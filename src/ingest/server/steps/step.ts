import type { Ctx, TransactionCtx } from '../../../context.ts';
import type { StepDetail, StepName } from '../../steps.ts';
import type { IngestPool } from '../convert/converter-pool.ts';
import type { PptxFacts } from '../formats/pptx-facts.ts';
import type { FileRow } from '../store/files.ts';

/** The input of a step. Paths are on this machine and valid while the step runs. */
export type StepInput = {
  ctx: Ctx;
  /** The row of the file when the step began. */
  file: FileRow;
  /** Path of the original. */
  original: string;
  /** Scratch folder of this run. It is removed afterwards, also after a kill. */
  workDir: string;
  /** Path of LibreOffice; null when it is not installed. */
  converter: string | null;
  /** Returns the facts of a PPTX, read once a run; null for other types. */
  facts(): Promise<PptxFacts | null>;
  /** Returns the recorded detail of an earlier step; null when the step is not done. */
  detailOf(step: StepName): StepDetail | null;
  /** Runs LibreOffice and the renderer, within the limit of concurrent children. */
  pool: IngestPool;
  /** Aborted when the process is asked to stop. A step throws the reason, or passes the signal on. */
  signal: AbortSignal | undefined;
  /** Whether this run is the last: an error that is thrown is not tried again. */
  isLast: boolean;
  /**
   * Calls `use` with the path of the PDF: the original, or the PDF of the deck; null when there is none (no
   * LibreOffice).
   */
  withPdf<T>(use: (path: string | null) => Promise<T>): Promise<T>;
};

/** `save` runs in the transaction that records the step, so that rows and record are committed together. */
type StepResult = { detail?: StepDetail; save?: (tx: TransactionCtx) => Promise<void> };

/**
 * A step must be idempotent: a run may be cut off anywhere, and the step is then run again from its start. It first writes files to
 * the store, and `save` then records their names in the database. Throws RefusedError for faults of the file or of this machine; any other
 * error is tried again.
 */
export type Step = {
  name: StepName;
  /** A failure is recorded and the run continues, unless the database failed, a disk is full, or a child was killed from outside. */
  isOptional?: boolean;
  run(input: StepInput): Promise<StepResult>;
};
