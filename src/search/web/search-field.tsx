import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { CloseIcon } from '../../ui/icons.tsx';
import { MAX_QUERY_CHARACTERS } from '../limits.ts';
import styles from './search-field.module.css';
import { useSuggestions } from './use-suggestions.ts';

/**
 * The text field of a search form with its suggestions: a combobox with a list (WAI-ARIA). Arrows choose, Enter
 * searches for what is chosen, Esc closes the list; nothing of this while an input method composes. Stands in a
 * positioned form, which the list follows in width; without scripts it is a plain field.
 */
export function SearchField(props: {
  className: string | undefined;
  label: string;
  placeholder: string;
  /** What the address says; the address may change under the field. */
  value?: string;
  /** Called after 清空关键词 has emptied the field. */
  onClear?: () => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  const { items, offer, clear, forget } = useSuggestions();
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const typed = useRef('');
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const isShown = isOpen && items.length > 0;
  const isRecent = items[0]?.count === null;

  useEffect(() => setActive(-1), [items]);
  useEffect(() => {
    if (field.current && props.value !== undefined) field.current.value = props.value;
  }, [props.value]);

  const open = () => {
    const value = field.current?.value ?? '';
    typed.current = value;
    setIsOpen(true);
    offer(value);
  };
  const close = () => {
    setIsOpen(false);
    setActive(-1);
    clear();
  };
  const put = (text: string) => {
    if (field.current) field.current.value = text;
  };
  const choose = (text: string) => {
    put(text);
    close();
    field.current?.form?.requestSubmit();
  };
  const empty = () => {
    put('');
    // With the focus the recent searches are offered again.
    field.current?.focus();
    open();
    props.onClear?.();
  };
  const move = (by: number) => {
    if (!isShown) return open();
    // One place more than there are items: the field itself, with what was typed.
    const next = ((active + 1 + by + items.length + 1) % (items.length + 1)) - 1;
    setActive(next);
    put(items[next]?.text ?? typed.current);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // 229: Safari ends the composition before the key event, and says so only by this old code.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Escape' && isShown) {
      // The browser would empty the field.
      event.preventDefault();
      put(typed.current);
      close();
    } else if (event.key === 'Enter') close();
  };

  return (
    <div
      ref={box}
      className={styles['field']}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) close();
      }}
    >
      <input
        ref={field}
        className={props.className}
        type="search"
        name="search_key"
        defaultValue={props.value}
        placeholder={props.placeholder}
        aria-label={props.label}
        maxLength={MAX_QUERY_CHARACTERS}
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="search"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={`${id}list`}
        aria-activedescendant={isShown && active >= 0 ? `${id}${active}` : undefined}
        onFocus={open}
        onClick={() => {
          if (!isShown) open();
        }}
        onInput={(event) => {
          // What an input method shows while it composes is not yet what one means.
          if (!(event.nativeEvent instanceof InputEvent && event.nativeEvent.isComposing)) open();
        }}
        onCompositionEnd={open}
        onKeyDown={onKeyDown}
      />
      <button type="button" className={styles['clear']} aria-label="清空关键词" onClick={empty}>
        <CloseIcon size={18} />
      </button>
      <div className={styles['popup']} hidden={!isShown}>
        {isRecent && (
          <p className={styles['head']}>
            <span>最近搜索</span>
            <button type="button" onClick={forget}>
              清空
            </button>
          </p>
        )}
        <ul id={`${id}list`} role="listbox" aria-label={isRecent ? '最近搜索' : '搜索建议'}>
          {items.map((item, index) => (
            <li
              key={item.text}
              id={`${id}${index}`}
              role="option"
              aria-selected={index === active}
              className={styles['option']}
              // The field keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(item.text)}
            >
              <span className={styles['text']}>{item.text}</span>
              {item.count !== null && <span className={styles['count']}>{item.count.toLocaleString('en-US')} 份</span>}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
