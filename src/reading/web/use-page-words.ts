import { useEffect, useState } from 'react';
import { call } from '../../accounts/web/call.ts';
import { pageText, type DocumentDetail, type PageWord } from '../contract.ts';

const NONE: ReadonlyMap<number, PageWord[]> = new Map();

/** The words of each page by its number, asked for once the page is shown; none until then, nor when they cannot be had. */
export function usePageWords(detail: DocumentDetail): ReadonlyMap<number, PageWord[]> {
  const [found, setFound] = useState<{ fid: number; words: ReadonlyMap<number, PageWord[]> }>({ fid: 0, words: NONE });
  const { fid, has_words: hasWords } = detail;
  useEffect(() => {
    if (hasWords === 0) return;
    let isOver = false;
    void call(pageText, { fid }).then((reply) => {
      if (isOver || reply.code !== 0 || !reply.data) return;
      setFound({ fid, words: new Map(reply.data.pages.map(({ page, words }) => [page, words])) });
    });
    return () => {
      isOver = true;
    };
  }, [fid, hasWords]);
  return found.fid === fid ? found.words : NONE;
}
