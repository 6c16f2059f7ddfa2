import { useLinkClicks } from '../../../ui/navigation/use-link-clicks.ts';
import { CheckIcon } from '../../../ui/pictures/icons.tsx';
import styles from './choice-list.module.css';
import { formatNumber } from '../../../protocol/format-number.ts';

/** A value of a filter as a link that chooses it, or, where it is chosen, removes it. `count`: the results it would leave; null: not counted. */
export type ChoiceLink = { key: number; name: string; count: number | null; href: string; isCurrent: boolean };

/** The values of a filter as links, 全部 first, each with the number of results it would leave. */
export function ChoiceList(props: {
  label: string;
  choices: ChoiceLink[];
  /** The address without the filter. */
  allHref: string;
  /** The measure word of the counted things: 份 documents, 张 charts. */
  unit: '份' | '张';
  columns?: 1 | 2 | 4;
  /** `pills`: side by side, large enough for touch. */
  look?: 'rows' | 'pills';
  /** Replaces the current history entry. */
  isReplacing?: boolean;
}) {
  const isAll = !props.choices.some(({ isCurrent }) => isCurrent);
  const onClick = useLinkClicks({ preventScrollReset: true, replace: props.isReplacing ?? false });
  return (
    <ul
      className={styles['list']}
      data-columns={props.columns ?? 1}
      data-look={props.look ?? 'rows'}
      aria-label={props.label}
      onClick={onClick}
    >
      <li>
        <a href={props.allHref} className={styles['choice']} aria-current={isAll || undefined}>
          <span className={styles['name']}>全部</span>
          {isAll && props.look !== 'pills' && <CheckIcon size={16} />}
        </a>
      </li>
      {props.choices.map(({ key, name, count, href, isCurrent }) => (
        <li key={key}>
          <a href={href} className={styles['choice']} aria-current={isCurrent || undefined}>
            <span className={styles['name']}>{name}</span>
            {count !== null && (
              <span className={styles['count']} aria-label={`${count} ${props.unit}`}>
                {formatNumber(count)}
              </span>
            )}
          </a>
        </li>
      ))}
    </ul>
  );
}
