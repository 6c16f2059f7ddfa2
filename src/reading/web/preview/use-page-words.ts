import { useEffect, useState } from 'react';
import { call } from '../../../accounts/web/call.ts';
import { pageText, type DocumentDetail, type PageWord } from '../../contract.ts';

const NONE: ReadonlyMap<number, PageWord[]> = new Map();

/**
 * Returns the words of each page by its number. They are requested when the page is first shown; until then, and after
 * a failure, there are none.
 */
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
