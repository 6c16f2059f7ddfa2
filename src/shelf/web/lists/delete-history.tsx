import { useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { call } from '../../../accounts/web/call.ts';
import { useSending } from '../../../accounts/web/login/use-sending.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ConfirmForm } from '../../../ui/feedback/confirm-form.tsx';
import { Sheet } from '../../../ui/feedback/sheet.tsx';
import { DeleteIcon } from '../../../ui/pictures/tool-icons.tsx';
import looks from '../../../ui/controls/action-button.module.css';
import { clearHistory, removeFromHistory } from '../../contract-history.ts';
import { tell } from '../tell.ts';
import { focusBeside, keptHeading } from './kept-page.tsx';

/** Deletes one document from the reading history. */
export function DeleteRead({ document }: { document: { fid: number; name: string } }) {
  const { revalidate } = useRevalidator();
  const { isSending, send } = useSending();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <button
      ref={button}
      type="button"
      className={looks['row']}
      aria-label={`从阅读记录中删除《${document.name}》`}
      title="删除记录"
      aria-disabled={isSending}
      onClick={send(async () => {
        if (!(await tell(call(removeFromHistory, { fids: [document.fid] })))) return;
        focusBeside(button.current, keptHeading);
        await revalidate();
      })}
    >
      <DeleteIcon />
    </button>
  );
}

/** 清空记录: asks, then empties the reading history. */
export function ClearHistory() {
  const { revalidate } = useRevalidator();
  const { isSending, send } = useSending();
  const [isAsking, setIsAsking] = useState(false);
  const clear = send(async () => {
    if (!(await tell(call(clearHistory, {})))) return;
    setIsAsking(false);
    await revalidate();
    keptHeading()?.focus();
  });
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>清空记录</Button>
      {isAsking && (
        <Sheet title="清空阅读记录" onClose={() => setIsAsking(false)}>
          <ConfirmForm
            question={
              <>
                清空全部阅读记录？删除后不能恢复。
                <br />
                已下载的方案、下载券和喵币不受影响。
              </>
            }
            cancel="保留"
            confirm={isSending ? '清空中…' : '清空'}
            isSending={isSending}
            onConfirm={clear}
            onClose={() => setIsAsking(false)}
          />
        </Sheet>
      )}
    </>
  );
}
