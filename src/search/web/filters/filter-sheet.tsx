import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { RANKING_CAP } from '../../../library/limits.ts';
import { Button, LinkButton } from '../../../ui/controls/button.tsx';
import { Sheet } from '../../../ui/feedback/sheet.tsx';
import { ChoiceList } from './choice-list.tsx';
import { choiceLinks, type FilterGroup } from './filter-groups.ts';
import styles from './filter-sheet.module.css';
import { NO_FILTERS, reportHref, type ReportQuery } from './report-query.ts';
import { formatNumber } from '../../../protocol/format-number.ts';

/** Number of choices shown before 展开. */
const FEW = 12;

/**
 * All filters in a bottom sheet, for phones. Every choice takes effect at once behind the sheet, and the counts follow. All changes made
 * in the sheet are one history entry.
 */
export function FilterSheet(props: {
  query: ReportQuery;
  groups: FilterGroup[];
  total: number;
  isOpen: boolean;
  onClose: () => void;
}) {
  const { query, groups, onClose } = props;
  const [isReplacing, setIsReplacing] = useState(false);
  useEffect(() => {
    if (!props.isOpen) setIsReplacing(false);
  }, [props.isOpen]);
  useClosedByBack(onClose);
  if (!props.isOpen) return null;
  const isCapped = query.searchKey === '' && props.total >= RANKING_CAP;
  return (
    <Sheet title="筛选" onClose={onClose}>
      {/* The link has gone its way when the click gets here: the next one takes its place. */}
      <div onClick={(event) => event.defaultPrevented && setIsReplacing(true)}>
        {groups.map((group) => (
          <Group key={group.key} query={query} group={group} isReplacing={isReplacing} />
        ))}
      </div>
      <div className={styles['foot']}>
        <LinkButton to={reportHref(query, NO_FILTERS)} replace={isReplacing} preventScrollReset size="large">
          清除筛选
        </LinkButton>
        <Button look="primary" size="large" className={styles['go']} onClick={onClose}>
          <span aria-live="polite">
            查看{isCapped ? '前' : ''} {formatNumber(props.total)} 份方案
          </span>
        </Button>
      </div>
    </Sheet>
  );
}

function Group({ query, group, isReplacing }: { query: ReportQuery; group: FilterGroup; isReplacing: boolean }) {
  const [isWhole, setIsWhole] = useState(false);
  if (group.choices.length === 0) return null;
  const isLong = group.choices.length > FEW + 1;
  const shown = group.choices.filter((choice, index) => isWhole || !isLong || index < FEW || choice.isCurrent);
  return (
    <section className={styles['group']}>
      <h3 className={styles['label']}>{group.label}</h3>
      <ChoiceList
        label={group.label}
        {...choiceLinks(query, { ...group, choices: shown })}
        unit="份"
        look="pills"
        isReplacing={isReplacing}
      />
      {isLong && (
        <button type="button" className={styles['more']} aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? '收起' : `展开全部 ${group.choices.length} 项`}
        </button>
      )}
    </section>
  );
}

/** Closes the sheet when the reader goes back in the history. */
function useClosedByBack(onClose: () => void): void {
  const { key } = useLocation();
  const type = useNavigationType();
  const opened = useRef(key);
  useEffect(() => {
    if (key === opened.current) return;
    opened.current = key;
    if (type === 'POP') onClose();
  }, [key, type, onClose]);
}
