import { useEffect, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { CODE } from '../../../protocol/codes.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { toast } from '../../../ui/feedback/toast.tsx';
import { updateInfo } from '../../contract.ts';
import { isNickname } from '../../nicknames.ts';
import { call } from '../call.ts';
import styles from './nickname-row.module.css';
import { Row } from './settings-rows.tsx';
import { useSending } from '../login/use-sending.ts';

const NO_NICKNAME = '昵称长度为2-20个字符';

/** Renders the nickname, edited in place (C-71). Esc cancels; the focus returns to the button. */
export function NicknameRow({ nickname }: { nickname: string }) {
  const { revalidate } = useRevalidator();
  const { isSending, send } = useSending();
  const [draft, setDraft] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const editButton = useRef<HTMLButtonElement>(null);
  const isEditing = draft !== null;
  const wasEditing = useRef(false);
  useEffect(() => {
    if (isEditing) field.current?.select();
    else if (wasEditing.current) editButton.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);

  // A nickname whose editing was cancelled while it was being saved has no part in the next.
  const edit = useRef(0);
  const stop = () => {
    edit.current++;
    setDraft(null);
    setError(null);
  };
  const save = send(async () => {
    const wanted = (draft ?? '').trim();
    if (!isNickname(wanted)) {
      setError(NO_NICKNAME);
      return field.current?.focus();
    }
    if (wanted === nickname) return stop();
    const mine = edit.current;
    const reply = await call(updateInfo, { nickname: wanted });
    if (reply.code !== CODE.ok) {
      if (mine === edit.current) setError(reply.message);
      return;
    }
    await revalidate();
    if (mine === edit.current) stop();
    toast.success(reply.message);
  });

  if (!isEditing) {
    return (
      <Row
        label="昵称"
        action={
          <Button ref={editButton} size="small" aria-label="修改昵称" onClick={() => setDraft(nickname)}>
            修改
          </Button>
        }
      >
        <b>{nickname}</b>
      </Row>
    );
  }
  return (
    <Row label="昵称">
      <form className={styles['form']} onSubmit={save} noValidate>
        <TextField
          ref={field}
          className={styles['field']}
          aria-label="昵称"
          name="nickname"
          autoComplete="nickname"
          maxLength={40}
          value={draft}
          error={error}
          onChange={(event) => setDraft(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') stop();
          }}
        />
        <Button type="submit" look="primary" disabled={isSending}>
          {isSending ? '保存中…' : '保存'}
        </Button>
        <Button onClick={stop}>取消</Button>
      </form>
    </Row>
  );
}
