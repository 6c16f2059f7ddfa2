import type { FormEvent, KeyboardEvent } from 'react';
import { isPhone } from './is-phone.ts';
import { toast } from './toast.ts';

/**
 * For a search `<form>` with one text field: an empty field warns and nothing else happens (§5); Enter that only
 * confirms a word of an input method does not submit; a search that goes ahead puts the phone's keyboard away.
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
      // 229: Safari ends the composition before the key event, and says so only by this old code.
      if (event.key === 'Enter' && (event.nativeEvent.isComposing || event.keyCode === 229)) event.preventDefault();
    },
  };
}

/** A phone keeps its keyboard over the results while the field has the focus. Elsewhere the field keeps the focus. */
export function closeKeyboard(): void {
  if (isPhone() && document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
}
