import { useEffect, useState } from 'react';
import { call } from '../../../accounts/web/call.ts';
import { useSending } from '../../../accounts/web/login/use-sending.ts';
import { CODE } from '../../../protocol/codes.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextArea, TextField } from '../../../ui/controls/text-field.tsx';
import { Sheet } from '../../../ui/feedback/sheet.tsx';
import { FolderIcon } from '../../../ui/pictures/tool-icons.tsx';
import { noteFavorite, type FavoriteDocument } from '../../contract.ts';
import {
  createFolder,
  deleteFolder,
  listFolders,
  moveToFolder,
  renameFolder,
  type FolderItem,
} from '../../contract-folders.ts';
import { folderNameProblem, noteProblem, pathOf } from '../../rules.ts';
import { tell } from '../tell.ts';
import type { Chosen } from '../chosen-favorites.ts';
import { moveChosen } from './collection-calls.ts';
import styles from './collection-dialogs.module.css';
import { DeleteForm, RemoveForm } from '../delete-form.tsx';
import { ShortlistPanel } from './shortlist-panel.tsx';

/** The dialog that is open on /myCollection. */
export type CollectionDialog =
  | { kind: 'create'; parentId: number }
  | { kind: 'rename'; folder: FolderItem }
  | { kind: 'delete'; folder: FolderItem }
  | { kind: 'move-folder'; folder: FolderItem }
  | { kind: 'move'; items: Chosen; folderId: number }
  | { kind: 'remove'; items: Chosen }
  | { kind: 'note'; document: FavoriteDocument }
  | { kind: 'shortlist'; folder: { id: number; name: string } };

const TITLES: Record<CollectionDialog['kind'], string> = {
  create: '新建文件夹',
  rename: '重命名文件夹',
  delete: '删除文件夹',
  'move-folder': '移动到',
  move: '移动到',
  remove: '取消收藏',
  note: '备注',
  shortlist: '分享清单',
};

export function CollectionDialogs(props: {
  dialog: CollectionDialog;
  onClose: () => void;
  onDone: () => Promise<void>;
}) {
  const { dialog } = props;
  return (
    <Sheet title={TITLES[dialog.kind]} onClose={props.onClose}>
      <Inside {...props} />
    </Sheet>
  );
}

function Inside({ dialog, onClose, onDone }: Parameters<typeof CollectionDialogs>[0]) {
  switch (dialog.kind) {
    case 'create':
      return (
        <NameForm
          label="名称"
          name=""
          submit={(name) => tell(call(createFolder, { name, parent_id: dialog.parentId }))}
          onDone={onDone}
        />
      );
    case 'rename':
      return (
        <NameForm
          label="名称"
          name={dialog.folder.name}
          submit={(name) => tell(call(renameFolder, { id: dialog.folder.id, name }))}
          onDone={onDone}
        />
      );
    case 'delete':
      return (
        <DeleteForm
          question={`删除“${dialog.folder.name}”？其中的收藏会移到上一级，不会丢失；已分享的清单链接会同时失效。`}
          action="删除"
          remove={() => tell(call(deleteFolder, { id: dialog.folder.id }))}
          onClose={onClose}
          onDone={onDone}
        />
      );
    case 'remove':
      return <RemoveForm items={dialog.items} onClose={onClose} onDone={onDone} />;
    case 'move-folder': {
      const { id, parent_id: at } = dialog.folder;
      return (
        <FolderChoice
          at={at}
          moved={id}
          move={(parentId) => tell(call(moveToFolder, { id, parent_id: parentId }))}
          onDone={onDone}
        />
      );
    }
    case 'move':
      return (
        <FolderChoice at={dialog.folderId} moved={0} move={(id) => moveChosen(dialog.items, id)} onDone={onDone} />
      );
    case 'note':
      return <NoteForm document={dialog.document} onDone={onDone} />;
    case 'shortlist':
      return <ShortlistPanel folder={dialog.folder} />;
  }
}

function NameForm(props: {
  label: string;
  name: string;
  submit: (name: string) => Promise<boolean>;
  onDone: () => Promise<void>;
}) {
  const { isSending, send } = useSending();
  const [name, setName] = useState(props.name);
  const [error, setError] = useState<string | null>(null);
  const save = send(async () => {
    const problem = folderNameProblem(name);
    if (problem) return setError(problem);
    if (await props.submit(name)) await props.onDone();
  });
  return (
    <form className={styles['form']} onSubmit={save} noValidate>
      <TextField
        label={props.label}
        name="name"
        autoComplete="off"
        value={name}
        error={error}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setError(null);
        }}
        data-autofocus
      />
      <Button type="submit" look="primary" size="large" disabled={isSending}>
        {isSending ? '保存中…' : '保存'}
      </Button>
    </form>
  );
}

function NoteForm({ document, onDone }: { document: FavoriteDocument; onDone: () => Promise<void> }) {
  const { isSending, send } = useSending();
  const [note, setNote] = useState(document.note);
  const [error, setError] = useState<string | null>(null);
  const save = send(async () => {
    const problem = noteProblem(note);
    if (problem) return setError(problem);
    if (await tell(call(noteFavorite, { fid: document.fid, note }))) await onDone();
  });
  return (
    <form className={styles['form']} onSubmit={save}>
      <TextArea
        label={document.name}
        description="分享清单时，对方也能看到"
        name="note"
        rows={5}
        value={note}
        error={error}
        onChange={(event) => {
          setNote(event.currentTarget.value);
          setError(null);
        }}
        data-autofocus
      />
      <Button type="submit" look="primary" size="large" disabled={isSending}>
        {isSending ? '保存中…' : '保存'}
      </Button>
    </form>
  );
}

/** All folders as a list of buttons. `at`: the present folder; `moved`: a folder that cannot stand within itself, 0 for none. */
function FolderChoice(props: {
  at: number;
  moved: number;
  move: (folderId: number) => Promise<boolean>;
  onDone: () => Promise<void>;
}) {
  const { isSending, send } = useSending();
  const [folders, setFolders] = useState<FolderItem[] | 'failed' | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isOver = false;
    setFolders(null);
    void call(listFolders, {})
      .catch(() => null)
      .then((reply) => {
        if (!isOver) setFolders(reply?.code === CODE.ok ? (reply.data?.items ?? []) : 'failed');
      });
    return () => {
      isOver = true;
    };
  }, [attempt]);
  if (folders === null)
    return (
      <p role="status" className={styles['waiting']}>
        正在读取文件夹…
      </p>
    );
  if (folders === 'failed')
    return (
      <div role="alert" className={styles['form']}>
        <p>暂时无法读取文件夹</p>
        <Button onClick={() => setAttempt(attempt + 1)}>重试</Button>
      </div>
    );
  const tree = folders.map(({ id, parent_id: parentId, name }) => ({ id, name, parentId: parentId || null }));
  const choices = tree
    .map(({ id }) => ({ id, path: pathOf(tree, id) }))
    .filter(({ path }) => !path.some(({ id }) => id === props.moved))
    .map(({ id, path }) => ({ id, text: path.map(({ name }) => name).join(' / ') }))
    .toSorted((one, other) => one.text.localeCompare(other.text, 'zh-CN'));
  return (
    <ul className={styles['choices']}>
      {[{ id: 0, text: '我的收藏（最外层）' }, ...choices].map(({ id, text }) => (
        <li key={id}>
          <button
            type="button"
            className={styles['choice']}
            disabled={isSending || id === props.at}
            onClick={send(async () => {
              if (await props.move(id)) await props.onDone();
            })}
          >
            <FolderIcon size={20} />
            <span>{text}</span>
            {id === props.at && <span className={styles['here']}>当前位置</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}
