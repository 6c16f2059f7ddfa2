import { useRef, useState } from 'react';
import { useResume, useSession } from '../../accounts/web/session.tsx';
import { GroupIcon } from '../../ui/pictures/icons.tsx';
import { LazyBoundary, lazyWithRetry } from '../../ui/feedback/lazy-boundary.tsx';
import looks from '../../ui/controls/action-button.module.css';

/** Loaded on the first press. */
export const AddToGroup = lazyWithRetry(() =>
  import('../../groups/web/add-to-group.tsx').then((module) => module.AddToGroup),
);

/** The key by which the popover of a document opens again after a login or a payment (useResume). */
export const groupKey = (fid: number): string => `group:${fid}`;

/** 添加到社群: opens the popover of groups for a member, and the login dialog for a visitor (C-106). */
export function GroupButton(props: {
  fid: number;
  /** `tool` beside the title, `stacked` at the lower edge of a phone. */
  look: 'tool' | 'stacked';
  /** True for the button whose popover opens again after a login or a payment; one button of a page. */
  isResumed?: boolean;
}) {
  const { member, openLogin } = useSession();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const key = groupKey(props.fid);
  useResume(props.isResumed ? key : '', () => setIsOpen(true));
  return (
    <>
      <button
        ref={button}
        type="button"
        className={looks[props.look]}
        aria-haspopup="dialog"
        onClick={() => (member ? setIsOpen(true) : openLogin('登录后可添加到社群', key))}
      >
        <GroupIcon size={props.look === 'tool' ? 18 : 22} />
        <span>{props.look === 'tool' ? '添加到社群' : '社群'}</span>
      </button>
      {isOpen && member && (
        <LazyBoundary onOpenChange={setIsOpen}>
          <AddToGroup fid={props.fid} resumeKey={key} anchor={button} onClose={() => setIsOpen(false)} />
        </LazyBoundary>
      )}
    </>
  );
}
