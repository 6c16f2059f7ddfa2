import { useRevalidator } from 'react-router';
import { CODE } from '../../../protocol/codes.ts';
import type { Answer } from '../../../protocol/endpoint.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { momentText } from '../../../ui/text/format-text.ts';
import { toast } from '../../../ui/feedback/toast.tsx';
import { revokeSession, type listSessions } from '../../contract.ts';
import { call } from '../call.ts';
import styles from './session-list.module.css';
import { Rows } from './settings-rows.tsx';
import { useSending } from '../login/use-sending.ts';

/**
 * Renders the member's open sessions, each with a button that ends it, except the current one: 退出登录 is for that, and
 * how many may be open at once. Null: the sessions could not be read.
 */
export function SessionList({ open }: { open: Answer<typeof listSessions> | null }) {
  const { revalidate, state } = useRevalidator();
  const { isSending, send } = useSending();
  const end = (which: { id: number } | { others: 1 }) =>
    send(async () => {
      const reply = await call(revokeSession, { id: 0, ...which });
      // A session that is gone already is the wanted result.
      if (reply.code !== CODE.ok && reply.code !== CODE.notFound) return toast.warning(reply.message);
      await revalidate();
      toast.success('已退出');
    });
  const others = open?.sessions.filter((session) => session.is_current === 0).length ?? 0;
  return (
    <Rows
      title="登录设备"
      action={
        others > 0 && (
          <Button size="small" disabled={isSending} onClick={end({ others: 1 })}>
            退出其他全部登录
          </Button>
        )
      }
    >
      {open === null ? (
        <p className={styles['failed']}>
          暂时无法读取登录设备
          <Button size="small" disabled={state === 'loading'} onClick={() => void revalidate()}>
            重试
          </Button>
        </p>
      ) : (
        <>
          <ul>
            {open.sessions.map((session) => (
              <li key={session.id} className={styles['item']}>
                <div>
                  <p className={styles['name']}>
                    {session.browser}
                    {session.is_current === 1 && <span className={styles['current']}>当前设备</span>}
                  </p>
                  <p className={styles['facts']}>
                    {session.place && <span>{session.place}</span>}
                    <span>{momentText(session.login_time)} 登录</span>
                  </p>
                </div>
                {session.is_current === 0 && (
                  <Button
                    size="small"
                    disabled={isSending}
                    aria-label={`退出 ${session.browser}，${momentText(session.login_time)} 登录`}
                    onClick={end({ id: session.id })}
                  >
                    退出
                  </Button>
                )}
              </li>
            ))}
          </ul>
          <p className={styles['limit']}>
            已登录 {open.count} 处，最多同时登录 {open.limit} 处。超出时，最早的登录会自动退出。
          </p>
        </>
      )}
    </Rows>
  );
}
