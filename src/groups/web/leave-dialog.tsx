import { useNavigate } from 'react-router';
import { call } from '../../accounts/web/call.ts';
import { useSending } from '../../accounts/web/login/use-sending.ts';
import { CODE } from '../../protocol/codes.ts';
import { ConfirmForm } from '../../ui/feedback/confirm-form.tsx';
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
      <ConfirmForm
        question={`退出“${group.name}”？退出后看不到书架，再次加入需要是会员。您上传的文件仍留在书架上。`}
        cancel="留下"
        confirm="退出"
        isSending={isSending}
        onConfirm={leave}
        onClose={onClose}
      />
    </Sheet>
  );
}
