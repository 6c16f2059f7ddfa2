import { failed } from '../../protocol/envelope.ts';
import type { DocumentState, HiddenReason } from '../../library/server/tables.ts';

/** Hidden for rights reasons: not even those who paid for it may have it any more (C-112). */
export const isTakenDown = (document: { state: DocumentState; hiddenReason: HiddenReason | null }) =>
  document.state === 'hidden' && document.hiddenReason !== 'operator';

export const originalLost = () => failed('文件已损坏，正在修复，暂时无法下载；没有扣除任何费用');

export const previewOnly = () => failed('该文件含有宏，仅供在线预览，不提供下载');
