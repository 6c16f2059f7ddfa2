import { Link } from 'react-router';
import { LinkButton } from '../../../ui/controls/button.tsx';
import { Empty, EmptySection } from '../../../ui/feedback/empty.tsx';
import { LoadFailure } from '../../../ui/feedback/load-failure.tsx';
import { Pager } from '../../../ui/navigation/pager.tsx';
import { useIsListPending } from '../../../ui/navigation/use-is-list-pending.ts';
import { momentText } from '../../../ui/text/format-text.ts';
import type { Answer } from '../../../protocol/endpoint.ts';
import type { CoinRecord, listCoinRecords } from '../../contract.ts';
import styles from './coin-records.module.css';
import { formatNumber } from '../../../protocol/format-number.ts';

const hrefOf = (page: number) => `/user/index?page=${page}#coin-records`;

/** Renders 喵币明细. `records` null: they could not be read, and the page offers to try again (C-100). */
export function CoinRecords({ records }: { records: Answer<typeof listCoinRecords> | null }) {
  const isPending = useIsListPending();
  return (
    <section id="coin-records" className={styles['section']} aria-labelledby="coin-records-title" aria-busy={isPending}>
      <h2 id="coin-records-title" className={styles['title']}>
        喵币明细
      </h2>
      {records === null ? (
        <LoadFailure title="暂时无法读取喵币明细" />
      ) : records.total === 0 ? (
        <NoRecords />
      ) : (
        <Records records={records} />
      )}
    </section>
  );
}

function Records({ records }: { records: Answer<typeof listCoinRecords> }) {
  return (
    <>
      {records.items.length === 0 ? (
        <Empty title="这一页没有记录" text={`一共 ${formatNumber(records.total)} 条，请回到第一页看看`}>
          <LinkButton to={hrefOf(1)}>回到第一页</LinkButton>
        </Empty>
      ) : (
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">时间</th>
              <th scope="col">说明</th>
              <th scope="col">收支</th>
              <th scope="col">余额</th>
            </tr>
          </thead>
          <tbody>
            {records.items.map((record) => (
              <RecordRow key={record.id} record={record} />
            ))}
          </tbody>
        </table>
      )}
      <Pager page={records.page} pageSize={records.page_size} total={records.total} hrefOf={hrefOf} label="喵币明细" />
    </>
  );
}

function RecordRow({ record }: { record: CoinRecord }) {
  return (
    <tr>
      <td className={styles['time']}>{momentText(record.create_time)}</td>
      <td>
        {record.kind_text}
        {record.name && (
          <>
            {' · '}
            <Link to={`/detail/${record.fid}`} className={styles['link']}>
              {record.name}
            </Link>
          </>
        )}
      </td>
      <td className={styles['amount']} data-in={record.amount > 0}>
        {record.amount > 0 ? '+' : '−'}
        {formatNumber(Math.abs(record.amount))}
      </td>
      <td className={styles['balance']}>{formatNumber(record.balance_after)}</td>
    </tr>
  );
}

function NoRecords() {
  return <EmptySection text="还没有喵币收支记录" />;
}
