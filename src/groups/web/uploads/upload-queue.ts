import { uploadLimits } from '../../rules-uploads.ts';

/** The state of a file that this tab uploads. Once the file is on the shelf, the list of the server shows it. */
export type UploadPhase = 'waiting' | 'sending' | 'paused' | 'checking' | 'failed';

export type LocalUpload = {
  id: number;
  file: File;
  /** Bytes that have left. */
  sent: number;
  phase: UploadPhase;
  /** Why it failed, in words for the member. */
  message: string;
  /** The key of the upload; "" until the server has given it one. */
  key: string;
};

/** More at once would not be faster on one line. */
const SENT_AT_ONCE = 3;

const countOf = (locals: readonly LocalUpload[], ...phases: UploadPhase[]) =>
  locals.filter(({ phase }) => phases.includes(phase)).length;

/**
 * Returns the waiting file whose turn it is: the one that was chosen first, `locals` having the last one in front. Undefined while enough
 * are sent, or while the server would refuse another because of `converting` files of this member that it still converts.
 */
export function nextToSend(locals: readonly LocalUpload[], converting: number): LocalUpload | undefined {
  const working = countOf(locals, 'sending', 'checking');
  const unfinished = working + countOf(locals, 'paused') + converting;
  if (working >= SENT_AT_ONCE || unfinished >= uploadLimits.unfinishedPerMember) return undefined;
  return locals.findLast(({ phase }) => phase === 'waiting');
}

/** Whether files wait though none is sent, so that the server alone knows when they can go on. */
export const isHeldUp = (locals: readonly LocalUpload[]): boolean =>
  countOf(locals, 'waiting') > 0 && countOf(locals, 'sending', 'checking') === 0;
