import { Link } from 'react-router';
import { useSession } from '../../../accounts/web/session.tsx';
import { DocumentCardSkeleton } from '../../../library/web/document-card.tsx';
import { Button, LinkButton } from '../../../ui/controls/button.tsx';
import { FREE_RESULTS } from '../../limits.ts';
import styles from './search-wall.module.css';
import { formatNumber } from '../../../protocol/format-number.ts';

/** Empty cards that stand for hidden results: after ten cards they fill the row and one more. They contain no data. */
export function silhouettes(shown: number) {
  const count = shown % 4 === 2 ? 6 : 4;
  return Array.from({ length: count }, (_, index) => <DocumentCardSkeleton key={`behind${index}`} isStill />);
}

/**
 * The end of the list without membership (C-37, C-39): the total, the number shown, and one link. The link leads to membership for visitors
 * as well, because an ordinary account unlocks nothing. `firstPage` is the address of the results that may be seen.
 */
export function SearchWall(props: {
  total: number;
  shown: number;
  /** The measure word of the counted things: 份 documents, 张 charts. */
  unit: '份' | '张';
  /** The membership that shows all of them. */
  membership: '会员' | '高级会员';
  firstPage: string;
  /** Members unlock here; without it they are led to the page of memberships. */
  onUnlock?: () => void;
}) {
  const { member, openLogin } = useSession();
  const { unit, membership } = props;
  const total = formatNumber(props.total);
  const rest = formatNumber(props.total - props.shown);
  const unlock = `开通${membership}，查看全部 ${total} ${unit}`;
  return (
    <div className={styles['wall']}>
      <p className={styles['count']}>
        共 {total} {unit}，{props.shown > 0 ? `已显示 ${props.shown} ${unit}` : `仅可查看前 ${FREE_RESULTS} ${unit}`}
      </p>
      <p className={styles['text']}>
        {props.shown > 0 ? `开通${membership}后可查看其余 ${rest} ${unit}` : `开通${membership}后可查看全部结果`}
      </p>
      {member && props.onUnlock ? (
        <Button look="primary" size="large" onClick={props.onUnlock}>
          {unlock}
        </Button>
      ) : (
        <LinkButton to="/aboutVip" look="primary" size="large">
          {unlock}
        </LinkButton>
      )}
      {!member && (
        <p className={styles['login']}>
          已是{membership}？
          <button type="button" onClick={() => openLogin(`${membership}登录后可查看全部搜索结果`)}>
            登录
          </button>
        </p>
      )}
      {props.shown === 0 && (
        <Link to={props.firstPage} className={styles['first']}>
          回到前 {FREE_RESULTS} {unit}
        </Link>
      )}
    </div>
  );
}
