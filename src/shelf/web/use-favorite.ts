import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { useResume, useSession } from '../../accounts/web/session.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import type { Target } from './ask-favorites.ts';
import { findState, setState, showTarget, subscribe } from './favorite-states.ts';

const TOAST_ID = 'favorite';

/**
 * Returns whether the member keeps a document or chart, and the toggle (C-82). Visitors log in first, and the page then
 * keeps what they wanted. `loaded`: the state that came with the page, null when the page does not know it.
 */
export function useFavorite({ type, id }: Target, loaded: boolean | null): { isKept: boolean; toggle: () => void } {
  const { member, openLogin } = useSession();
  const isMember = member !== null;
  const isBusy = useRef(false);
  useEffect(() => (isMember ? showTarget({ type, id }, loaded) : undefined), [isMember, type, id, loaded]);
  const stored = useSyncExternalStore(
    subscribe,
    useCallback(() => findState({ type, id }), [type, id]),
    () => null,
  );
  const isKept = isMember && (stored ?? loaded ?? false);

  const set = async (isWanted: boolean) => {
    if (isBusy.current) return;
    isBusy.current = true;
    const target = { type, id };
    setState(target, isWanted);
    try {
      const { askToKeep } = await import('./ask-favorites.ts');
      const { isDone, message } = await askToKeep(target, isWanted);
      if (isDone) toast.success(message, TOAST_ID);
      else {
        setState(target, !isWanted);
        toast.warning(message, TOAST_ID);
      }
    } catch {
      setState(target, !isWanted);
      toast.error('网络不通，请稍后再试', TOAST_ID);
    } finally {
      isBusy.current = false;
    }
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
