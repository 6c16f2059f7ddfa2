import type { Member } from '../../membership/contract.ts';
import styles from './member-badge.module.css';

/** 方案会员 or 非会员 (C-107). */
export function MemberBadge({ member }: { member: Member }) {
  const isMember = member.vip_last_day > 0;
  return <span className={isMember ? styles['member'] : styles['none']}>{isMember ? '方案会员' : '非会员'}</span>;
}
