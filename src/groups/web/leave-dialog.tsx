import { useNavigate } from 'react-router';
import { call } from '../../accounts/web/call.ts';
import { useSending } from '../../accounts/web/login/use-sending.ts';
import { CODE } from '../../protocol/codes.ts';
import { Button } from '../../ui/controls/button.tsx';
import styles from '../../ui/controls/form.module.css';
import { Sheet } from '../../ui/feedback/sheet.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { leaveGroup, type GroupItem } from '../contract.ts';

/** 退出社群: asks, because only members of the site may join again (C-44). */
export function LeaveDialog({ group, onClose }: { group: GroupItem; onClose: () => void }) {
  const navigate = useNavigate();
  const { isSending, send } = useSending();
  const leave = send(async () => {
    const reply = await call(leaveGroup, { gid: group.id });
    if (reply.code !== CODE.ok) return toast.warning(reply.message);
    toast.success(reply.message);
    await navigate('/user/group');
  });
  return (
    <Sheet title="退出社群" onClose={onClose}>
      <form className={styles['form']} onSubmit={leave}>
        <p>退出“{group.name}”？退出后看不到书架，再次加入需要是会员。您上传的文件仍留在书架上。</p>
        <div className={styles['ways']}>
          <Button size="large" onClick={onClose}>
            留下
          </Button>
          <Button type="submit" look="primary" size="large" disabled={isSending}>
            退出
          </Button>
        </div>
      </form>
    </Sheet>
  );
}
