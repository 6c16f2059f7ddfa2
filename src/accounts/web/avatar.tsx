import type { Member } from '../../membership/contract.ts';
import styles from './avatar.module.css';

/**
 * Shows a person's picture, or the first character of the name on a plain ground. Decorative: the name stands beside
 * it.
 */
export function Avatar({ name, src, size = 32 }: { name: string; src: string; size?: number }) {
  if (src) return <img className={styles['avatar']} src={src} alt="" width={size} height={size} />;
  return (
    <span className={styles['avatar']} style={{ width: size, height: size, fontSize: size * 0.44 }} aria-hidden="true">
      {[...name][0]?.toUpperCase() ?? '策'}
    </span>
  );
}

/** Shows 方案会员 or 非会员 (C-107). */
export function MemberBadge({ member }: { member: Member }) {
  const isMember = member.vip_last_day > 0;
  return (
    <span className={isMember ? styles['member'] : styles['none']} data-member={isMember}>
      {isMember ? '方案会员' : '非会员'}
    </span>
  );
}
