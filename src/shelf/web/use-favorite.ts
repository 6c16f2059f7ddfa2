import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { useResume, useSession } from '../../accounts/web/session.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import type { Target } from './ask-favorites.ts';
import { findState, keyOf, setState, showTarget, subscribe } from './favorite-states.ts';

const TOAST_ID = 'favorite';
/** The targets with an unanswered call, by their keys: a page may have several stars of one. */
const busy = new Set<string>();

/**
 * Returns whether the member keeps a document or chart, and the toggle (C-82). Visitors log in first, and the page then
 * keeps what they wanted. `loaded`: the state that came with the page, null when the page does not know it.
 */
export function useFavorite({ type, id }: Target, loaded: boolean | null): { isKept: boolean; toggle: () => void } {
  const { member, openLogin } = useSession();
  const isMember = member !== null;
  useEffect(() => (isMember ? showTarget({ type, id }, loaded) : undefined), [isMember, type, id, loaded]);
  const stored = useSyncExternalStore(
    subscribe,
    useCallback(() => findState({ type, id }), [type, id]),
    () => null,
  );
  const isKept = isMember && (stored ?? loaded ?? false);

  const set = async (isWanted: boolean) => {
    const target = { type, id };
    const key = keyOf(target);
    if (busy.has(key)) return;
    busy.add(key);
    setState(target, isWanted);
    const reply = await import('./ask-favorites.ts')
      .then(({ askToKeep }) => askToKeep(target, isWanted))
      .catch(() => null);
    busy.delete(key);
    if (reply?.isDone) {
      // A page that came meanwhile may have read the state before the press.
      setState(target, isWanted);
      return toast.success(reply.message, TOAST_ID);
    }
    setState(target, !isWanted);
    toast.warning(reply?.message ?? '网络不通，请稍后再试', TOAST_ID);
  };

  const resumeKey = `favorite:${type}:${id}`;
  useResume(resumeKey, () => void set(true));
  return {
    isKept,
    toggle: () => {
      if (isMember) void set(!isKept);
      else openLogin('登录后加入收藏', resumeKey);
    },
  };
}
