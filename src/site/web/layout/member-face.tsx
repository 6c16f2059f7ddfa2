import { Avatar, MemberBadge } from '../../../accounts/web/avatar.tsx';
import type { Member } from '../../../membership/contract.ts';
import { ChevronDownIcon } from '../../../ui/pictures/icons.tsx';
import styles from './member-menu.module.css';

/** Badge (C-107), nickname and avatar: the header's view of a member, before and after the menu's script is loaded. */
export function MemberFace({ member }: { member: Member }) {
  return (
    <>
      <MemberBadge member={member} />
      <span className={styles['name']}>{member.nickname}</span>
      <Avatar name={member.nickname} src={member.avatar} />
      <ChevronDownIcon size={16} />
    </>
  );
}
