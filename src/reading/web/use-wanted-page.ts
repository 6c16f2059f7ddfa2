import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';

/** The end of the preview, where one arrives who wants a page behind it. */
export const END_ID = 'preview-end';

/** The id of a page in the column, which is also how an address names the page: `/detail/9#p=12`. */
export const pageId = (page: number) => `p=${page}`;
export const pageHash = (page: number) => `#${pageId(page)}`;

/** The page of the column now read, or 0 where there is none: the last whose top has passed the upper third. */
export function pageInSight(): number {
  const pages = [...document.querySelectorAll<HTMLElement>('[id^="p="]')];
  const passed = pages.findLast((page) => page.getBoundingClientRect().top < window.innerHeight / 3);
  return wantedPage(`#${(passed ?? pages[0])?.id ?? ''}`);
}

/** The page an address asks for: `#p=12`, as search, sharing and the viewer write it; 0 for none. */
export function wantedPage(hash: string): number {
  const number = Number(/^#p=(\d{1,5})$/.exec(hash)?.[1]);
  return Number.isSafeInteger(number) ? number : 0;
}

/**
 * Goes to the page the address asks for, as soon as there are pages to go to: a visitor's login may come between.
 * Returns the wanted page when it lies behind the preview, 0 otherwise.
 */
export function useWantedPage(shown: number, total: number): number {
  const { hash } = useLocation();
  const [beyond, setBeyond] = useState(0);
  useEffect(() => {
    const wanted = wantedPage(hash);
    const isBeyond = wanted > shown && wanted <= total;
    setBeyond(isBeyond ? wanted : 0);
    if (shown === 0 || wanted === 0 || wanted > total) return;
    // Every page has its place from the start, so nothing moves once it is reached.
    const frame = requestAnimationFrame(() =>
      document
        .getElementById(isBeyond ? END_ID : pageId(wanted))
        ?.scrollIntoView({ block: isBeyond ? 'center' : 'start' }),
    );
    return () => cancelAnimationFrame(frame);
  }, [hash, shown, total]);
  return beyond;
}
