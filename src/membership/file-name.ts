import type { FileType } from '../library/file-types.ts';
import { replaceHidden } from '../protocol/hidden-characters.ts';

/** Characters of a whole file name, extension included (C-81). */
const MAX_CHARACTERS = 120;
const RESERVED_BY_WINDOWS = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/iu;

const MIME: Record<FileType, string> = {
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  ppt: 'application/vnd.ms-powerpoint',
  pdf: 'application/pdf',
};

export const mimeTypeOf = (type: FileType) => MIME[type];

/**
 * Returns the file name of a download (C-81): the document's name without markup and without characters that a file
 * system or a header cannot hold, with the extension of the file's real type; `方案_{id}` when nothing is left.
 */
export function downloadFileName(name: string, documentId: number, type: FileType): string {
  return `${safeBase(name, `方案_${documentId}`, MAX_CHARACTERS - type.length - 1)}.${type}`;
}

/** The same for any file: `fallback` is its name without extension when nothing of `name` is left. */
export function safeFileName(name: string, fallback: string, extension: string): string {
  return `${safeBase(name, fallback, MAX_CHARACTERS - extension.length - 1)}.${extension}`;
}

/** Returns the file name of one page that is saved as an image: `标题 第12页.jpg`, the title as in downloadFileName. */
export function pageFileName(name: string, documentId: number, page: number): string {
  const end = ` 第${page}页.jpg`;
  return `${safeBase(name, `方案_${documentId}`, MAX_CHARACTERS - end.length)}${end}`;
}

function safeBase(name: string, fallback: string, maxCharacters: number): string {
  const visible = name
    .toWellFormed()
    .replace(/<\/?[a-z][^<>]*>/giu, '')
    .replace(/[\p{Cc}\u2028\u2029]/gu, '_');
  const clean = replaceHidden(visible, '')
    .replaceAll('\ufffd', '')
    .replace(/[\\/:*?"<>|]/gu, '_')
    .replace(/\.(pptx?|pdf)$/iu, '');
  const base = trim([...trim(clean)].slice(0, maxCharacters).join(''));
  if (!/[^_]/u.test(base)) return fallback;
  return RESERVED_BY_WINDOWS.test(base) ? `${base}_` : base;
}

/**
 * Returns the content-disposition of RFC 6266: a plain name for old clients, and the real name in the encoding of RFC
 * 8187.
 */
export function contentDisposition(
  fileName: string,
  documentId: number,
  extension: string,
  shown: 'attachment' | 'inline' = 'attachment',
): string {
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${shown}; filename="plan_${documentId}.${extension}"; filename*=UTF-8''${encoded}`;
}

function trim(text: string): string {
  return text.replace(/^[.\s]+|[.\s]+$/gu, '');
}
