import { useEffect, useState, type RefObject } from 'react';
import { call } from '../../accounts/web/call.ts';
import { useSending } from '../../accounts/web/login/use-sending.ts';
import { CODE } from '../../protocol/codes.ts';
import type { Answer } from '../../protocol/endpoint.ts';
import { formatNumber } from '../../protocol/format-number.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Sheet } from '../../ui/feedback/sheet.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { addGroupsFiles, GROUP_PAGE_SIZE, listGroups, type GroupItem } from '../contract.ts';
import styles from './add-to-group.module.css';
import { useJoin } from './use-join.ts';

/**
 * The popover 添加到社群 (C-106): groups to tick, seven a page, for a document. Ticks stay while pages are turned. Mounted means open, and only
 * for a logged-in reader. `resumeKey`: the key by which the page opens the popover again after a payment (useResume).
 */
export function AddToGroup(props: {
  fid: number;
  resumeKey: string;
  anchor: RefObject<HTMLElement | null>;
  onClose: () => void;
}) {
  return (
    <Sheet title="添加到社群" anchor={props.anchor} onClose={props.onClose}>
      <Panel fid={props.fid} resumeKey={props.resumeKey} onClose={props.onClose} />
    </Sheet>
  );
}

type Loaded = Answer<typeof listGroups> | 'loading' | 'failed';

function Panel({ fid, resumeKey, onClose }: { fid: number; resumeKey: string; onClose: () => void }) {
  const [page, setPage] = useState(1);
  const [attempt, setAttempt] = useState(0);
  const [groups, setGroups] = useState<Loaded>('loading');
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set());
  const [error, setError] = useState('');
  const [hasJoined, setHasJoined] = useState(true);
  const { isSending, send } = useSending();
  useEffect(() => {
    let isWanted = true;
    setGroups((shown) => (typeof shown === 'object' && shown.page === page ? shown : 'loading'));
    call(listGroups, { page, fid }).then(
      (reply) => {
        if (!isWanted) return;
        const read = reply.code === CODE.ok ? reply.data : null;
        setGroups(read ?? 'failed');
        if (read) setHasJoined(read.joined_count > 0);
      },
      () => isWanted && setGroups('failed'),
    );
    return () => {
      isWanted = false;
    };
  }, [page, fid, attempt]);
  const load = () => setAttempt((now) => now + 1);

  const tick = (id: number, isOn: boolean) => {
    setError('');
    setTicked((now) => new Set(isOn ? [...now, id] : [...now].filter((each) => each !== id)));
  };
  const confirm = send(async () => {
    if (ticked.size === 0) return setError('请选择社群');
    const reply = await call(addGroupsFiles, { fid, gids: [...ticked] });
    if (reply.code !== CODE.ok) return setError(reply.message);
    onClose();
    toast.success(reply.message);
  });
  return (
    <div className={styles['panel']}>
      <div className={styles['rows']} aria-busy={groups === 'loading'}>
        {groups === 'loading' ? (
          Array.from({ length: GROUP_PAGE_SIZE }, (_, index) => (
            <span key={index} className={styles['blank']} aria-hidden="true" />
          ))
        ) : groups === 'failed' ? (
          <div className={styles['words']} role="alert">
            <p>暂时无法读取社群</p>
            <Button
              size="small"
              onClick={() => {
                setGroups('loading');
                load();
              }}
            >
              重试
            </Button>
          </div>
        ) : groups.total === 0 ? (
          <p className={styles['words']}>还没有社群，敬请期待</p>
        ) : (
          <Choices
            groups={groups.group_list}
            resumeKey={resumeKey}
            ticked={ticked}
            onTick={tick}
            onJoined={load}
            onClose={onClose}
          />
        )}
      </div>
      {typeof groups === 'object' && groups.total > groups.page_size && (
        <Turner page={page} last={Math.ceil(groups.total / groups.page_size)} onTurn={setPage} />
      )}
      <div className={styles['foot']}>
        {!hasJoined && <p className={styles['hint']}>先加入一个社群，再把方案放上它的书架</p>}
        <p className={styles['error']} role="alert" hidden={error === ''}>
          {error}
        </p>
        <Button look="primary" disabled={isSending} onClick={confirm}>
          {isSending ? '提交中…' : ticked.size > 0 ? `确定（已选 ${ticked.size} 个）` : '确定'}
        </Button>
      </div>
    </div>
  );
}

function Choices(props: {
  groups: readonly GroupItem[];
  resumeKey: string;
  ticked: ReadonlySet<number>;
  onTick: (id: number, isOn: boolean) => void;
  onJoined: () => void;
  onClose: () => void;
}) {
  const { isJoining, join } = useJoin({
    onJoined: props.onJoined,
    // The pay dialog takes its place.
    onRefused: props.onClose,
    continues: { key: props.resumeKey },
  });
  return props.groups.map((group) => (
    <div key={group.id} className={styles['row']}>
      {group.joined === 1 ? (
        <label className={styles['choice']}>
          <input
            type="checkbox"
            checked={props.ticked.has(group.id)}
            onChange={(event) => props.onTick(group.id, event.currentTarget.checked)}
          />
          <Named group={group} />
        </label>
      ) : (
        <div className={styles['choice']} data-off="">
          <Named group={group} />
        </div>
      )}
      {group.joined === 0 ? (
        <Button size="small" disabled={isJoining} aria-label={`加入${group.name}`} onClick={join(group.id)}>
          加入
        </Button>
      ) : (
        group.added === 1 && <span className={styles['added']}>已在书架</span>
      )}
    </div>
  ));
}

function Named({ group }: { group: GroupItem }) {
  return (
    <>
      <img className={styles['logo']} src={group.logo} alt="" width={36} height={36} />
      <span>
        <span className={styles['name']}>{group.name}</span>
        <span className={styles['size']}>
          {formatNumber(group.member_count)} 位成员 · {formatNumber(group.fcount)} 份方案
        </span>
      </span>
    </>
  );
}

function Turner({ page, last, onTurn }: { page: number; last: number; onTurn: (page: number) => void }) {
  return (
    <nav className={styles['pager']} aria-label="社群分页">
      <Button size="small" look="plain" disabled={page <= 1} onClick={() => onTurn(page - 1)}>
        上一页
      </Button>
      <span aria-live="polite">
        {page} / {last}
      </span>
      <Button size="small" look="plain" disabled={page >= last} onClick={() => onTurn(page + 1)}>
        下一页
      </Button>
    </nav>
  );
}
