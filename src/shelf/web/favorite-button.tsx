import { StarIcon } from '../../ui/pictures/icons.tsx';
import type { Target } from './ask-favorites.ts';
import looks from '../../ui/controls/action-button.module.css';
import styles from './favorite-button.module.css';
import { useFavorite } from './use-favorite.ts';

/** 添加到收藏 / 已收藏 (§2): the toggle beside a document or a chart. */
export function FavoriteButton(props: {
  target: Target;
  /** Name of the document or chart, for screen readers. */
  name: string;
  /** `card` on a card, `tool` with words, `icon` in the viewer, `stacked` at the lower edge of a phone, `row` in a list. */
  look: 'card' | 'tool' | 'icon' | 'stacked' | 'row';
  /** The state that came with the page; undefined where the page may have been made for a visitor and does not know it. */
  isFavorite?: boolean | undefined;
}) {
  const { look, name } = props;
  const { isKept, toggle } = useFavorite(props.target, props.isFavorite ?? null);
  const hasWords = look === 'tool' || look === 'stacked';
  return (
    <button
      type="button"
      className={['touch-target', looks[look], styles[look]].filter(Boolean).join(' ')}
      data-kept={isKept}
      // A name that changes says the state by itself.
      {...(hasWords
        ? {}
        : { 'aria-label': `收藏《${name}》`, 'aria-pressed': isKept, title: isKept ? '已收藏' : '添加到收藏' })}
      onClick={toggle}
    >
      <StarIcon size={look === 'icon' || look === 'stacked' ? 22 : look === 'row' ? 20 : 18} isFilled={isKept} />
      {look === 'tool' && <span>{isKept ? '已收藏' : '添加到收藏'}</span>}
      {look === 'stacked' && <span>{isKept ? '已收藏' : '收藏'}</span>}
    </button>
  );
}
