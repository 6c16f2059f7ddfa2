import { useSending } from '../../accounts/web/login/use-sending.ts';
import { ConfirmForm } from '../../ui/feedback/confirm-form.tsx';
import { removeChosen, type Chosen } from './chosen-favorites.ts';

type Ends = { onClose: () => void; onDone: () => Promise<void> };

/** Asks before something is deleted. `remove` returns whether it was deleted. */
export function DeleteForm(props: Ends & { question: string; action: string; remove: () => Promise<boolean> }) {
  const { isSending, send } = useSending();
  const remove = send(async () => {
    if (await props.remove()) await props.onDone();
  });
  return (
    <ConfirmForm
      question={props.question}
      cancel="保留"
      confirm={props.action}
      isSending={isSending}
      onConfirm={remove}
      onClose={props.onClose}
    />
  );
}

/** Asks before favourites are removed. */
export const RemoveForm = ({ items, ...ends }: Ends & { items: Chosen }) => (
  <DeleteForm
    question={`取消收藏这 ${items.length} 项？备注会一并删除，不能恢复。`}
    action="取消收藏"
    remove={() => removeChosen(items)}
    {...ends}
  />
);
