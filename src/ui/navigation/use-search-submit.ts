import type { FormEvent, KeyboardEvent } from 'react';
import { toast } from '../feedback/toast.tsx';

/**
 * Submit handler of a search `<form>` with one text field: an empty field shows a warning and stops (§5); Enter that
 * only confirms a word of an input method does not submit; a submitted search hides the phone's keyboard.
 */
export function useSearchSubmit(): {
  onSubmit(event: FormEvent<HTMLFormElement>): void;
  onKeyDown(event: KeyboardEvent<HTMLFormElement>): void;
} {
  return {
    onSubmit(event) {
      const value = new FormData(event.currentTarget).get('search_key');
      if (typeof value === 'string' && value.trim() !== '') return closeKeyboard();
      event.preventDefault();
      toast.warning('请输入搜索内容');
    },
    onKeyDown(event) {
      // Safari ends the composition before the key event, and marks that event only by the deprecated keyCode 229.
      if (event.key === 'Enter' && (event.nativeEvent.isComposing || event.keyCode === 229)) event.preventDefault();
    },
  };
}

/**
 * Removes the focus on a phone, whose keyboard would otherwise cover the results. On other devices the field keeps the
 * focus.
 */
export function closeKeyboard(): void {
  if (isHandheld() && document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
}

/** True for a small screen or a touch screen: it has an on-screen keyboard, and no second window beside the first. */
export const isHandheld = (): boolean => window.matchMedia('(max-width: 767px), (pointer: coarse)').matches;
