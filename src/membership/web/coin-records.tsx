import { Link, useRevalidator } from 'react-router';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Pager } from '../../ui/pager.tsx';
import { momentText } from '../../ui/time-text.ts';
import type { Answer } from '../../protocol/endpoint.ts';
import type { listCoinRecords } from '../contract.ts';
import styles from './coin-records.module.css';

/** Renders 喵币明细 as a plain table. `records` null: they could not be read, and the page offers to try again (C-100). */
export function CoinRecords(props: { records: Answer<typeof listCoinRecords> | null; page: number; pageSize: number }) {
  const { records } = props;
  const { revalidate, state } = useRevalidator();
  return (
    <section className={styles['section']} aria-labelledby="coin-records">
      <h2 id="coin-records" className={styles['title']}>
        喵币明细
      </h2>
      {records === null ? (
        <Empty drawing="broken" title="暂时无法读取喵币明细">
          <Button disabled={state === 'loading'} onClick={() => void revalidate()}>
            重试
          </Button>
        </Empty>
      ) : records.items.length === 0 ? (
        <p className={styles['none']}>{props.page > 1 ? '这一页没有记录' : '还没有喵币收支记录'}</p>
      ) : (
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">时间</th>
              <th scope="col">说明</th>
              <th scope="col">喵币</th>
            </tr>
          </thead>
          <tbody>
            {records.items.map((record) => (
              <tr key={record.id}>
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
                  {Math.abs(record.amount).toLocaleString('en-US')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {records && (
        <Pager
          page={props.page}
          pageSize={props.pageSize}
          total={records.total}
          hrefOf={(page) => `/user/index?page=${page}`}
          label="喵币明细"
        />
      )}
    </section>
  );
}
