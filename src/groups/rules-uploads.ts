import { refusalReasons, type RefusalCode } from '../ingest/refusals.ts';
import type { FileType } from '../library/file-types.ts';
import { failed, notPermitted } from '../protocol/envelope.ts';
import { replaceHidden } from '../protocol/hidden-characters.ts';

/**
 * The state of an uploaded file. `receiving`: bytes are missing, or the file was not checked yet; `queued` and `running`: it passed the
 * checks and its pages are being made; `ready`; `failed`: its pages could not be made, and the file was removed.
 */
export const UPLOAD_STATES = ['receiving', 'queued', 'running', 'ready', 'failed'] as const;
export type UploadState = (typeof UPLOAD_STATES)[number];

/** Width and height of a page image in pixels. */
export type PageSize = { width: number; height: number };

const MiB = 1024 * 1024;

export const uploadLimits = {
  /** The same as of ingest (C-120). */
  fileBytes: 200 * MiB,
  /** Limits of one member over all shelves; failed files do not count. */
  filesPerMember: 50,
  bytesPerMember: 2048 * MiB,
  /** How many files of one member may be sent, wait for the converter or be converted at once. */
  unfinishedPerMember: 5,
  /** How often one member may begin an upload. */
  beginningsPerMinute: 20,
  beginningsPerHour: 100,
  /** How long an upload may take, and how long a file is kept that was never put on a shelf (C-120). */
  unfinishedHours: 24,
  /** Pages of which images are made; the whole file can be downloaded. */
  previewPages: 30,
  nameCharacters: 100,
} as const;

/** The uploads of a member. `unfinished`: files without pages yet; of these, `converting` passed the checks. */
export type UploadUsage = { files: number; bytes: number; unfinished: number; converting: number };

/** Throws code 50 when a file of `bytes` more does not fit into the quota of a member (rule of docs/decisions/032). */
export function checkQuota(usage: UploadUsage, bytes: number): void {
  const { filesPerMember, bytesPerMember, unfinishedPerMember } = uploadLimits;
  if (usage.unfinished >= unfinishedPerMember)
    throw notPermitted(`还有 ${usage.unfinished} 个文件没有传完或转换完，请稍后再试，或先撤回`);
  if (usage.files >= filesPerMember)
    throw notPermitted(`最多保留 ${filesPerMember} 个上传的文件，请先撤回不需要的文件`);
  if (usage.bytes + bytes > bytesPerMember)
    throw notPermitted(`上传的文件合计最多 ${bytesPerMember / 1024 / MiB} GB，请先撤回不需要的文件`);
}

/** Returns the name under which a file is shown: without folders, extension and characters that nobody sees. */
export function uploadName(fileName: string): string {
  const clean = replaceHidden(fileName.toWellFormed().replace(/^.*[\\/]/u, ''), '')
    .replace(/[\ufffd\u2028\u2029]/gu, '')
    .replace(/\.(pptx?|ppsx?|potx?|pptm|ppsm|pdf)$/iu, '')
    .trim();
  return [...clean].slice(0, uploadLimits.nameCharacters).join('') || '未命名文件';
}

/** The address of the tus protocol (C-120); an upload is `/api/upload/{key}`. */
export const UPLOAD_PATH = '/api/upload';

/** Whether a text has the form of an upload's key, the last part of its address; no storage key of a document has it. */
export const isUploadKey = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);

const TASK = /^upload-(\d{1,15})$/;

/** The task that converts an uploaded file, as doc2png and checkTask name it (C-87). */
export const uploadTaskId = (id: number) => `upload-${id}`;

/** Returns the id of the uploaded file of a task; null for every other text. */
export function readUploadTaskId(taskId: string): number | null {
  const id = TASK.exec(taskId)?.[1];
  return id === undefined ? null : Number(id);
}

/** The addresses of the pages and of the original of an uploaded file, which the caller must have the right to read. */
export const uploadPagePath = (id: number, page: number) => `/media/upload/${id}/${page}.webp`;
export const uploadOriginalPath = (id: number) => `/media/upload/${id}/original`;

export const uploadIncomplete = () => failed('文件还没有传完，请继续上传');
export const uploadElsewhere = () => failed('文件已在另一个社群的书架上，请先撤回再上传');
export const ownUpload = () => failed('这是自己上传的文件，可以直接撤回');

/**
 * Returns why a file was not taken, in words for its owner; null for a reason that ingest does not know. The texts of ingest for failed
 * conversions say that the original is kept; an upload is removed. Nobody who sent a PDF is told to send one.
 */
export function refusalText(code: RefusalCode | null, fileType: FileType | null): string {
  if (code === 'converter-missing') return '本站暂时无法转换演示文稿，请另存为 PDF 后上传';
  // Ingest speaks of the library.
  if (code === 'page-size') return '页面尺寸异常，请调整后重新上传';
  if (code !== null && refusalReasons[code].kind === 'refused') return refusalReasons[code].user;
  return fileType === 'pdf' ? '文件转换失败，请重新导出后上传' : '文件转换失败，请另存为 PDF 后重新上传';
}

/** Maximum length of the reason of a report about an uploaded file. */
export const REASON_CHARACTERS = 200;
