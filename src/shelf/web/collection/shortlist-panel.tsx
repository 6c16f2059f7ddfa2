import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '../../../accounts/web/call.ts';
import { useSending } from '../../../accounts/web/login/use-sending.ts';
import { CODE } from '../../../protocol/codes.ts';
import { useRootData } from '../../../root-data.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { CopyButton } from '../../../ui/feedback/copy-button.tsx';
import { momentText } from '../../../ui/text/format-text.ts';
import { createShortlist, listShortlists, revokeShortlist, type ShortlistLink } from '../../contract-shortlists.ts';
import { DEFAULT_SHORTLIST_DAYS, SHORTLIST_DAYS } from '../../rules.ts';
import { focusBeside } from '../lists/kept-page.tsx';
import { tell } from '../tell.ts';
import styles from './shortlist-panel.module.css';

/** The links of a folder: to make one, to copy it, to end it. */
export function ShortlistPanel({ folder }: { folder: { id: number; name: string } }) {
  const origin = useRootData()?.origin ?? '';
  const { isSending, send } = useSending();
  const [links, setLinks] = useState<ShortlistLink[] | 'failed' | null>(null);
  const maker = useRef<HTMLButtonElement>(null);
  const [days, setDays] = useState<number>(DEFAULT_SHORTLIST_DAYS);
  const read = useCallback(async () => {
    const reply = await call(listShortlists, { folder_id: folder.id }).catch(() => null);
    setLinks(reply?.code === CODE.ok ? (reply.data?.items ?? []) : 'failed');
  }, [folder.id]);
  useEffect(() => void read(), [read]);
  const create = send(async () => {
    if (await tell(call(createShortlist, { folder_id: folder.id, days }))) await read();
  });
  return (
    <div className={styles['panel']}>
      <p className={styles['lead']}>
        知道链接的人无需登录，就能看到“{folder.name}”里的方案和您的备注，不能修改。图表和子文件夹不会显示。
      </p>
      <form className={styles['make']} onSubmit={create}>
        <fieldset className={styles['days']}>
          <legend>有效期</legend>
          {SHORTLIST_DAYS.map((offered) => (
            <label key={offered}>
              <input type="radio" name="days" checked={days === offered} onChange={() => setDays(offered)} />
              {offered} 天
            </label>
          ))}
        </fieldset>
        <Button ref={maker} type="submit" look="primary" aria-disabled={isSending}>
          生成链接
        </Button>
      </form>
      {links === null && <p role="status">正在读取链接…</p>}
      {links === 'failed' && (
        <p role="alert">
          暂时无法读取链接{' '}
          <Button size="small" onClick={() => void read()}>
            重试
          </Button>
        </p>
      )}
      {Array.isArray(links) && links.length > 0 && (
        <ul className={styles['links']} aria-label="有效的链接">
          {links.map((link) => (
            <li key={link.id}>
              <input
                className={styles['address']}
                readOnly
                value={origin + link.link}
                aria-label={`清单链接 ${link.id}`}
                onFocus={(event) => event.currentTarget.select()}
              />
              <CopyButton value={origin + link.link} label={`复制清单链接 ${link.id}`} />
              <span className={styles['until']}>{momentText(link.expire_time)} 失效</span>
              <Button
                size="small"
                look="plain"
                aria-disabled={isSending}
                aria-label={`撤销清单链接 ${link.id}`}
                onClick={(event) => {
                  const button = event.currentTarget;
                  send(async () => {
                    if (!(await tell(call(revokeShortlist, { folder_id: folder.id, id: link.id })))) return;
                    focusBeside(button, () => maker.current);
                    await read();
                  })();
                }}
              >
                撤销
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
