/**
 * The closed list of reasons why ingest refuses a file. `refused`: the file itself is at fault, so trying again is
 * useless. `failed`: trying again may succeed. `waiting`: this machine lacks a program.
 */
type Reason = { kind: 'refused' | 'failed' | 'waiting'; operator: string; user: string };

export const refusalReasons = {
  empty: { kind: 'refused', operator: 'the file is empty', user: '文件是空的，请重新上传' },
  'too-large': { kind: 'refused', operator: 'the file is larger than 200 MB', user: '文件超过 200 MB，请压缩后上传' },
  'unknown-type': {
    kind: 'refused',
    operator: 'the content is not PPTX, PPT or PDF',
    user: '无法识别的文件类型，请上传 PPT、PPTX 或 PDF',
  },
  'not-presentation': {
    kind: 'refused',
    operator: 'the file is an Office or zip file, but not a presentation',
    user: '这不是演示文稿，请上传 PPT、PPTX 或 PDF',
  },
  encrypted: { kind: 'refused', operator: 'the file needs a password', user: '文件已加密，请移除密码后上传' },
  drm: {
    kind: 'refused',
    operator:
      'the file is sealed by the document security software of a company (亿赛通 and the like); it has to be unsealed there',
    user: '文件被企业文档加密软件（如亿赛通）加密，请解密后上传',
  },
  macros: { kind: 'refused', operator: 'the file contains macros', user: '文件含有宏，请移除宏后上传' },
  'zip-bomb': {
    kind: 'refused',
    operator: 'the archive is too large when unpacked (zip bomb)',
    user: '文件内容异常，解压后过大',
  },
  'zip-corrupt': { kind: 'refused', operator: 'the archive is damaged', user: '文件已损坏，请重新导出后上传' },
  'bad-entry-name': {
    kind: 'refused',
    operator: 'the archive holds an unsafe or repeated entry name',
    user: '文件内部结构异常，请重新导出后上传',
  },
  'hostile-xml': {
    kind: 'refused',
    operator: 'an XML part has a DTD, entities, too deep nesting or too many elements',
    user: '文件内部结构异常，请重新导出后上传',
  },
  'too-many-pages': {
    kind: 'refused',
    operator: 'more than 500 slides or 1,000 PDF pages',
    user: '页数过多：演示文稿最多 500 页，PDF 最多 1000 页',
  },
  'no-pages': { kind: 'refused', operator: 'the file has no visible page', user: '文件中没有可显示的页面' },
  'page-size': { kind: 'refused', operator: 'the page size is outside the limits', user: '页面尺寸异常，无法收录' },
  corrupt: { kind: 'refused', operator: 'the file is damaged', user: '文件已损坏，请重新导出后上传' },
  'file-name': {
    kind: 'refused',
    operator: 'the file name is not UTF-8; rename the file (convmv -f gbk -t utf8 --notest)',
    user: '文件名编码异常，请重命名后上传',
  },
  'not-loadable': {
    kind: 'refused',
    operator: 'LibreOffice cannot load the file',
    user: '文件无法打开，请用 PowerPoint 或 WPS 另存后上传',
  },
  destroyed: {
    kind: 'refused',
    operator: 'the same file was destroyed by ceku document destroy, and is not taken again',
    user: '该文件因权利或法律原因不予收录',
  },
  unreadable: { kind: 'failed', operator: 'the file cannot be read', user: '文件读取失败，请重试' },
  'convert-timeout': {
    kind: 'failed',
    operator: 'conversion took too long; tried again by itself, alone, when the machine is quiet',
    user: '文件转换超时，已保留原文件',
  },
  'convert-failed': { kind: 'failed', operator: 'LibreOffice made no usable PDF', user: '文件转换失败，已保留原文件' },
  'render-timeout': {
    kind: 'failed',
    operator: 'drawing the pages took too long; tried again by itself, alone, when the machine is quiet',
    user: '页面预览超时，已保留原文件',
  },
  'render-failed': { kind: 'failed', operator: 'the pages cannot be drawn', user: '页面预览失败，已保留原文件' },
  'broken-off': {
    kind: 'failed',
    operator: 'the process was killed during preparation several times',
    user: '文件处理多次中断，已保留原文件',
  },
  'converter-missing': {
    kind: 'waiting',
    operator: 'LibreOffice is not installed; the file waits for it',
    user: '正在等待转换，请稍后再看',
  },
} as const satisfies Record<string, Reason>;

export type RefusalCode = keyof typeof refusalReasons;

/**
 * A refusal as a value, for callers that continue with the next file. `detail` is for operators: the name of an entry,
 * a number.
 */
export type Refused = { ok: false; code: RefusalCode; detail: string };

export function refuse(code: RefusalCode, detail = ''): Refused {
  return { ok: false, code, detail: plain(detail) };
}

const MAX_DETAIL = 300;

/**
 * Removes from a detail, which may quote untrusted names and output, characters that would harm a terminal or the
 * database.
 */
function plain(detail: string): string {
  const shown = detail.toWellFormed().replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\ufffd');
  return [...shown].slice(0, MAX_DETAIL).join('');
}

/** A refusal as an error, for callers that stop at a refusal. */
export class RefusedError extends Error {
  readonly code: RefusalCode;
  readonly detail: string;
  readonly kind: Reason['kind'];
  readonly userMessage: string;

  constructor(code: RefusalCode, detail = '') {
    const reason = refusalReasons[code];
    const shown = plain(detail);
    super(shown ? `${reason.operator} (${shown})` : reason.operator);
    this.name = 'RefusedError';
    this.code = code;
    this.detail = shown;
    this.kind = reason.kind;
    this.userMessage = reason.user;
  }
}
