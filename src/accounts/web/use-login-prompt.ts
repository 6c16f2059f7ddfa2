import { useEffect, useRef } from 'react';
import { useSession } from './session.tsx';

/** §9: the login dialog opens by itself this long after a visitor opens a document. */
const LOGIN_PROMPT_MS = 300;
/** A smaller movement is the page settling, not a person scrolling. */
const SCROLLED_PX = 8;
const ACTIONS = ['pointerdown', 'touchstart', 'wheel', 'keydown'] as const;

/** Documents whose dialog has opened since the page was loaded: going back is no new visit (C-21). */
const prompted = new Set<number>();

/**
 * Offers the login once for each document that a visitor opens (C-21): after 300 ms, and not at all when the visitor
 * has begun to scroll, touch, type or has the viewer open by then. Nor does it on a link that a member sent (`?invite=`): who comes by a
 * recommendation sees the document first. The login button stays on the page.
 */
export function useLoginPrompt(documentId: number, isVisitor: boolean, reason: string): void {
  const { offerLogin } = useSession();
  const offer = useRef(() => {});
  offer.current = () => offerLogin(reason);
  useEffect(() => {
    const isSent = new URLSearchParams(window.location.search).has('invite');
    if (!isVisitor || isSent || prompted.has(documentId)) return;
    let isBusy = false;
    const note = () => (isBusy = true);
    const noteScroll = () => {
      if (window.scrollY > SCROLLED_PX) isBusy = true;
    };
    for (const action of ACTIONS) window.addEventListener(action, note, { passive: true, capture: true });
    window.addEventListener('scroll', noteScroll, { passive: true });
    const timer = setTimeout(() => {
      noteScroll();
      if (isBusy || document.querySelector('dialog[open]') !== null) return;
      prompted.add(documentId);
      offer.current();
    }, LOGIN_PROMPT_MS);
    return () => {
      clearTimeout(timer);
      for (const action of ACTIONS) window.removeEventListener(action, note, { capture: true });
      window.removeEventListener('scroll', noteScroll);
    };
  }, [documentId, isVisitor]);
}
