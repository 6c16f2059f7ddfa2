import { useLinkClicks } from '../../../ui/navigation/use-link-clicks.ts';
import { CheckIcon } from '../../../ui/pictures/icons.tsx';
import styles from './choice-list.module.css';
import type { FilterGroup } from './filter-groups.ts';
import { reportHref, type ReportQuery } from './report-query.ts';

/** The values of a filter as links, 全部 first, each with the number of documents it would leave. The link of the chosen value removes it. */
export function ChoiceList(props: {
  query: ReportQuery;
  group: FilterGroup;
  columns?: 1 | 2 | 4;
  /** `pills`: side by side, large enough for touch. */
  look?: 'rows' | 'pills';
  /** Replaces the current history entry. */
  isReplacing?: boolean;
}) {
  const { query, group } = props;
  const isAll = group.current === null;
  const onClick = useLinkClicks({ preventScrollReset: true, replace: props.isReplacing ?? false });
  return (
    <ul
      className={styles['list']}
      data-columns={props.columns ?? 1}
      data-look={props.look ?? 'rows'}
      aria-label={group.label}
      onClick={onClick}
    >
      <li>
        <a href={reportHref(query, group.clear)} className={styles['choice']} aria-current={isAll || undefined}>
          <span className={styles['name']}>全部</span>
          {isAll && props.look !== 'pills' && <CheckIcon size={16} />}
        </a>
      </li>
      {group.choices.map((choice) => (
        <li key={choice.key}>
          <a
            href={reportHref(query, choice.isCurrent ? group.clear : choice.change)}
            className={styles['choice']}
            aria-current={choice.isCurrent || undefined}
          >
            <span className={styles['name']}>{choice.name}</span>
            <span className={styles['count']} aria-label={`${choice.count} 份`}>
              {choice.count.toLocaleString('en-US')}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
