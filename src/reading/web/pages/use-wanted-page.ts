import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { markedWords } from '../../../library/addresses.ts';

/** Id of the end of the preview, the target of links to pages behind it. */
export const END_ID = 'preview-end';

/** Returns the id of a page in the column, which is also the hash in addresses: `/detail/9#p=12`. */
export const pageId = (page: number) => `p=${page}`;
export const pageHash = (page: number) => `#${pageId(page)}`;

/** Returns the page being read, the last whose top has passed the upper third, or 0 for none. */
export function pageInSight(): number {
  const pages = [...document.querySelectorAll<HTMLElement>('[id^="p="]')];
  const passed = pages.findLast((page) => page.getBoundingClientRect().top < window.innerHeight / 3);
  return wantedPage(`#${(passed ?? pages[0])?.id ?? ''}`);
}

/** Returns the page that an address asks for: `#p=12`, as sharing and the viewer write it, `#p=12&w=动线` from search; 0 for none. */
export function wantedPage(hash: string): number {
  const number = Number(/^#p=(\d{1,5})(?:&w=.*)?$/.exec(hash)?.[1]);
  return Number.isSafeInteger(number) ? number : 0;
}

/**
 * Scrolls to the page that the address asks for, as soon as the pages exist: a visitor may have to log in first.
 * `beyond`: the wanted page when it is behind the preview, 0 otherwise. `pageToOpen` returns the page that a viewer opens at:
 * the page in sight, but the wanted page until the window was scrolled to it. A button that was pressed before the scripts
 * arrived (early-clicks.ts) is pressed again before that, and the browser may not have scrolled to the hash either.
 */
export function useWantedPage(shown: number, total: number): { beyond: number; pageToOpen: () => number } {
  const { hash } = useLocation();
  const [beyond, setBeyond] = useState(0);
  const isScrolled = useRef(false);
  useEffect(() => {
    const wanted = wantedPage(hash);
    const isBeyond = wanted > shown && wanted <= total;
    setBeyond(isBeyond ? wanted : 0);
    if (shown === 0 || wanted === 0 || wanted > total) return;
    // Every page has its place from the start, so nothing moves once it is reached.
    const frame = requestAnimationFrame(() => {
      document
        .getElementById(isBeyond ? END_ID : pageId(wanted))
        ?.scrollIntoView({ block: isBeyond ? 'center' : 'start' });
      isScrolled.current = true;
    });
    return () => cancelAnimationFrame(frame);
  }, [hash, shown, total]);
  const pageToOpen = () => {
    const wanted = isScrolled.current ? 0 : wantedPage(hash);
    return wanted > 0 && wanted <= shown ? wanted : pageInSight() || 1;
  };
  return { beyond, pageToOpen };
}

/** Returns the words that the address of this visit asks to mark (addresses.ts); the viewer, which writes addresses of its own, keeps them. */
export function useMarkedWords(fid: number): readonly string[] {
  const { hash } = useLocation();
  const [kept, setKept] = useState<{ fid: number; words: readonly string[] }>({ fid, words: NO_WORDS });
  useEffect(() => {
    const words = markedWords(hash);
    if (words.length > 0) setKept({ fid, words });
  }, [fid, hash]);
  return kept.fid === fid ? kept.words : NO_WORDS;
}

const NO_WORDS: readonly string[] = [];
