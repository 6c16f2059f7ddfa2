import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { call } from '../../../accounts/web/call.ts';
import type { Answer } from '../../../protocol/endpoint.ts';
import { CODE } from '../../../protocol/codes.ts';
import { ChevronLeftIcon, ChevronRightIcon, CloseIcon } from '../../../ui/pictures/icons.tsx';
import { findInDocument } from '../../contract.ts';
import { ToolButton } from '../stage/tool-button.tsx';
import styles from './find-bar.module.css';

type Found = Answer<typeof findInDocument>;

const NONE: readonly string[] = [];
/** How long typing rests before the pages are searched. */
const DEBOUNCE_MS = 300;

/**
 * Finds words in the pages that the reader may see: Enter and the arrows go from page to page with hits, Shift + Enter goes back, Esc
 * closes the bar. `onWords` tells which texts are marked on the pages.
 */
export function FindBar(props: {
  fid: number;
  /** Number of pages of the document. */
  total: number;
  current: number;
  onWords: (words: readonly string[]) => void;
  onGo: (page: number) => void;
  onClose: () => void;
}) {
  const { fid, current, onWords } = props;
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [found, setFound] = useState<{ text: string; answer: Found | null; message: string } | null>(null);
  const wanted = text.trim();

  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    onWords(NONE);
    if (wanted === '') return setFound(null);
    let isOver = false;
    const timer = setTimeout(() => {
      void call(findInDocument, { fid, text: wanted.slice(0, 50) }).then(
        (reply) => {
          if (isOver) return;
          const answer = reply.code === CODE.ok ? reply.data : null;
          setFound({ text: wanted, answer, message: answer ? '' : reply.message });
          if (answer) onWords(answer.words);
        },
        () => !isOver && setFound({ text: wanted, answer: null, message: '网络不通，请稍后再试' }),
      );
    }, DEBOUNCE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [fid, wanted, onWords]);

  const pages = found?.answer?.pages ?? [];
  const step = (by: 1 | -1) => {
    const order = by === 1 ? pages : pages.toReversed();
    const next = order.find(({ page }) => (by === 1 ? page > current : page < current)) ?? order[0];
    if (next) props.onGo(next.page);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // The viewer's keys turn pages; here they move the cursor.
    event.stopPropagation();
    if (event.key === 'Enter') {
      event.preventDefault();
      step(event.shiftKey ? -1 : 1);
    }
    if (event.key === 'Escape') {
      event.preventDefault();
      props.onClose();
    }
  };

  return (
    <search className={styles['bar']} onKeyDown={onKeyDown}>
      <input
        ref={field}
        type="search"
        aria-label="在方案内查找"
        placeholder="在方案内查找"
        maxLength={50}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <p className={styles['count']} role="status">
        {wanted !== '' && summaryOf(found?.text === wanted ? found : null, props)}
      </p>
      <ToolButton shape="small" label="上一处" disabled={pages.length === 0} onClick={() => step(-1)}>
        <ChevronLeftIcon size={18} />
      </ToolButton>
      <ToolButton shape="small" label="下一处" disabled={pages.length === 0} onClick={() => step(1)}>
        <ChevronRightIcon size={18} />
      </ToolButton>
      <ToolButton shape="small" label="关闭查找" onClick={props.onClose}>
        <CloseIcon size={18} />
      </ToolButton>
    </search>
  );
}

/**
 * Returns 2/5 页 · 12 处 on a page with hits, 5 页 · 12 处 elsewhere. To a reader of the preview alone it says that no other pages
 * were searched: 预览的 10 页内 12 处.
 */
function summaryOf(
  found: { answer: Found | null; message: string } | null,
  { current, total: pageCount }: { current: number; total: number },
): string {
  if (!found) return '查找中…';
  if (!found.answer) return found.message;
  const { pages, total, readable_pages: readable } = found.answer;
  if (readable < pageCount) return `预览的 ${readable} 页内${total > 0 ? ` ${total} 处` : '没有找到'}`;
  if (pages.length === 0) return '没有找到';
  const at = pages.findIndex(({ page }) => page === current) + 1;
  return `${at > 0 ? `${at}/` : ''}${pages.length} 页 · ${total} 处`;
}
