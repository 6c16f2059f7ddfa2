import { useEffect, useRef, useState } from 'react';
import { Avatar, MemberBadge } from '../../../accounts/web/avatar.tsx';
import type { Member } from '../../../membership/contract.ts';
import { importPart, LazyBoundary, lazyWithRetry } from '../../../ui/feedback/lazy-boundary.tsx';
import { ChevronDownIcon } from '../../../ui/pictures/icons.tsx';
import styles from './member-menu.module.css';

/** Loaded after the page; visitors never fetch it. */
const loadMenu = () => import('./member-menu.tsx').then((module) => module.MemberMenu);
const MemberMenu = lazyWithRetry(loadMenu);

/** The button in the header with badge (C-107), nickname and avatar. Opens the member's menu; a press before the menu's script has loaded opens the menu when it has. */
export function MemberButton({ member }: { member: Member }) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    // A failure is not shown here: a press of the button loads the script again.
    importPart(loadMenu).catch(() => {});
  }, []);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles['target']}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(true)}
      >
        <MemberBadge member={member} />
        <span className={styles['name']}>{member.nickname}</span>
        <Avatar name={member.nickname} src={member.avatar} />
        <ChevronDownIcon size={16} />
        <span className="visually-hidden">打开账号菜单</span>
      </button>
      {isOpen && (
        <LazyBoundary onOpenChange={setIsOpen}>
          <MemberMenu member={member} anchor={button} onClose={() => setIsOpen(false)} />
        </LazyBoundary>
      )}
    </>
  );
}
