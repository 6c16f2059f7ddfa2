import { useEffect, useRef, useState } from 'react';
import { call } from '../../../accounts/web/call.ts';
import { CODE } from '../../../protocol/codes.ts';
import { checkTask } from '../../../reading/contract.ts';
import { toast } from '../../../ui/feedback/toast.tsx';
import type { UploadItem } from '../../contract-uploads.ts';
import { readUploadTaskId, uploadTaskId } from '../../rules-uploads.ts';

const POLL_MS = 2_000;

/**
 * Asks for the progress of the caller's files that are being converted, while there are some, and calls `onEnded` when one has ended.
 * Returns the progress in percent by id.
 */
export function useTasks(
  uploads: readonly UploadItem[],
  onEnded: () => Promise<void> | void,
): ReadonlyMap<number, number> {
  const [progress, setProgress] = useState<ReadonlyMap<number, number>>(new Map());
  const open = uploads
    .filter(({ state, is_own: isOwn }) => isOwn === 1 && (state === 'queued' || state === 'running'))
    .map(({ id }) => id);
  const openIds = open.join(',');
  const before = useRef('');
  useEffect(() => {
    // As the list has it once the file is ready: its group may have been closed meanwhile.
    const ended = before.current.split(',');
    if (uploads.some((each) => each.state === 'ready' && each.is_shelved === 1 && ended.includes(`${each.id}`)))
      toast.success('完成，社群成员可以看到了');
    before.current = openIds;
  }, [uploads, openIds]);
  useEffect(() => {
    if (openIds === '') return;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const poll = async () => {
      const replies = await Promise.all(
        openIds.split(',').map((id) => call(checkTask, { task_id: uploadTaskId(Number(id)) }).catch(() => null)),
      );
      if (isOver) return;
      const tasks = replies.flatMap((reply) => (reply?.code === CODE.ok && reply.data ? [reply.data] : []));
      setProgress(new Map(tasks.map((task) => [readUploadTaskId(task.task_id) ?? 0, task.progress])));
      // 4: taken back in another tab.
      const isDone = tasks.some(({ status }) => status === 'done');
      const isEnded = isDone || tasks.some(({ status }) => status === 'failed');
      if (isEnded || replies.some((reply) => reply?.code === CODE.notFound)) await onEnded();
      if (!isOver) timer = setTimeout(() => void poll(), POLL_MS);
    };
    timer = setTimeout(() => void poll(), POLL_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [openIds, onEnded]);
  return progress;
}
