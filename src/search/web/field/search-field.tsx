import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { CloseIcon } from '../../../ui/pictures/icons.tsx';
import { MAX_QUERY_CHARACTERS } from '../../limits.ts';
import styles from './search-field.module.css';
import { useSuggestions } from './use-suggestions.ts';
import { formatNumber } from '../../../protocol/format-number.ts';

/**
 * The text field of a search form with suggestions: a combobox with a listbox (WAI-ARIA). Arrow keys choose, Enter searches for the chosen
 * suggestion, Esc closes the list; keys are ignored while an input method composes. The list takes the width of the positioned form.
 * Without scripts it is a plain field.
 */
export function SearchField(props: {
  className: string | undefined;
  label: string;
  placeholder: string;
  /** Keyword of the address, which may change while the field is mounted. */
  value?: string;
  /** Called after 清空关键词 cleared the field. */
  onClear?: () => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  const { items, offer, clear, forget } = useSuggestions();
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const typed = useRef('');
  const addressed = useRef(props.value);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const isShown = isOpen && items.length > 0;
  const isRecent = items[0]?.count === null;

  useEffect(() => setActive(-1), [items]);
  useEffect(() => {
    // What somebody typed before the scripts arrived stays.
    const isAnother = props.value !== addressed.current;
    addressed.current = props.value;
    if (isAnother && field.current && props.value !== undefined) field.current.value = props.value;
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
    // Focus offers the recent searches again.
    field.current?.focus();
    open();
    props.onClear?.();
  };
  const move = (by: number) => {
    if (!isShown) return open();
    // One position more than items: the field itself, with the typed text.
    const next = ((active + 1 + by + items.length + 1) % (items.length + 1)) - 1;
    setActive(next);
    put(items[next]?.text ?? typed.current);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // 229: Safari ends the composition before the key event and reports it only by this legacy code.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Escape' && isShown) {
      // The browser's default would clear the field.
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
          // Text that an input method is composing is not final.
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
              <span className={styles['text']}>
                {item.text}
                {item.related && <small>相近</small>}
              </span>
              {item.count !== null && <span className={styles['count']}>{formatNumber(item.count)} 份</span>}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
