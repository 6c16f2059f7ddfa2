import { useSession } from '../../../accounts/web/session.tsx';
import { Button, LinkButton } from '../../../ui/controls/button.tsx';
import { Clauses } from '../../../ui/text/line-breaks.tsx';
import { CheckIcon } from '../../../ui/pictures/icons.tsx';
import { yuan } from '../../../ui/text/format-text.ts';
import type { PriceItem } from '../../../prices/contract.ts';
import {
  comparisonOf,
  currentPlan,
  perDay,
  purchaseVerb,
  standingNote,
  type Cell,
  type Plan,
  type SessionLimits,
} from './plans.ts';
import { useTakesPayments } from './purchase.tsx';
import styles from './plan-table.module.css';

/** Renders the free column and the three plans. On a phone the column heads stand above the table as cards. */
export function PlanTable(props: { plans: Plan[]; sessions: SessionLimits; onWant: (item: PriceItem) => void }) {
  const { plans, onWant } = props;
  const { member } = useSession();
  const note = standingNote(member);
  return (
    <section aria-label="会员对比">
      {note && (
        <p className={styles['note']}>
          <Clauses text={note} />
        </p>
      )}
      <ul className={styles['cards']}>
        {plans.map((plan) => (
          <li key={plan.key} className={plan.isRecommended ? styles['recommended'] : undefined}>
            <PlanHead plan={plan} onWant={onWant} />
          </li>
        ))}
      </ul>
      <div className={styles['frame']}>
        <table className={styles['table']}>
          <caption className="visually-hidden">普通用户与各会员套餐的权益对比</caption>
          <thead>
            <tr>
              <td className={styles['corner']}>权益</td>
              {plans.map((plan) => (
                <th key={plan.key} scope="col" className={plan.isRecommended ? styles['best'] : undefined}>
                  <span className={styles['short']}>{plan.name.slice(0, 2)}</span>
                  <div className={styles['head']}>
                    <PlanHead plan={plan} onWant={onWant} />
                  </div>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {comparisonOf(plans, props.sessions).map(({ row, cells }) => (
              <tr key={row}>
                <th scope="row">{row}</th>
                {cells.map((cell, index) => (
                  <td key={index} className={plans[index]?.isRecommended ? styles['best'] : undefined}>
                    <CellText cell={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function PlanHead({ plan, onWant }: { plan: Plan; onWant: (item: PriceItem) => void }) {
  const { item } = plan;
  const daily = item && perDay(item);
  const { member } = useSession();
  const isCurrent = currentPlan(member) === plan.key;
  const isForLife = currentPlan(member) === 'lifetime';
  const verb = (useTakesPayments() ? '' : '联系客服') + (item ? purchaseVerb(item, member) : '开通');
  const shownVerb = verb === '开通' ? '立即开通' : verb;
  return (
    <div className={styles['plan']}>
      <p className={styles['name']}>
        {plan.name}
        {isCurrent && <span className={styles['current']}>当前套餐</span>}
        {plan.isRecommended && !isForLife && <span className={styles['badge']}>推荐</span>}
      </p>
      {plan.key === 'ordinary' ? (
        <>
          <p className={styles['price']}>免费</p>
          <p className={styles['small']}>按需用喵币下载</p>
          <span className={styles['spacer']} />
          <LinkButton to="/index" look="quiet" className={styles['action']}>
            开始使用
          </LinkButton>
        </>
      ) : (
        <>
          <p className={styles['price']}>
            {item ? (
              <>
                <span className={styles['currency']}>¥</span>
                {yuan(item.price)}
                {item.org_price > item.price && (
                  <s className={styles['original']}>
                    <span className="visually-hidden">原价</span>¥{yuan(item.org_price)}
                  </s>
                )}
              </>
            ) : (
              '—'
            )}
          </p>
          <p className={styles['small']}>{item ? (daily ? `约 ¥${daily} / 天` : '一次开通，长期有效') : '暂停开通'}</p>
          <p className={styles['small']}>不自动续费</p>
          {isForLife
            ? isCurrent && <p className={`${styles['action']} ${styles['small']}`}>已开通，无需续费</p>
            : item && (
                <Button
                  look={plan.isRecommended ? 'primary' : 'quiet'}
                  className={styles['action']}
                  onClick={() => onWant(item)}
                  aria-label={`${shownVerb}${plan.name}`}
                >
                  {shownVerb}
                </Button>
              )}
        </>
      )}
    </div>
  );
}

function CellText({ cell }: { cell: Cell }) {
  if (typeof cell === 'string') return cell;
  return cell ? (
    <span className={styles['yes']}>
      <CheckIcon size={20} />
      <span className="visually-hidden">有</span>
    </span>
  ) : (
    <span className={styles['no']}>
      <span aria-hidden="true">—</span>
      <span className="visually-hidden">无</span>
    </span>
  );
}
