import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { GroupItem } from '../contract.ts';
import styles from './group-rows.module.css';
import { formatNumber } from '../../protocol/format-number.ts';

export const groupPath = (id: number): string => `/user/group/${id}`;

/** Groups one below the other: logo, name that leads to the shelf, size. `action` stands at the end of a row. */
export function GroupRows(props: { groups: readonly GroupItem[]; action: (group: GroupItem) => ReactNode }) {
  return (
    <ul className={styles['rows']}>
      {props.groups.map((group) => (
        <li key={group.id} className={styles['row']}>
          <GroupLogo group={group} />
          <div>
            <p className={styles['name']}>
              <Link to={groupPath(group.id)}>
                <span>{group.name}</span>
              </Link>
            </p>
            <GroupSize group={group} />
          </div>
          {props.action(group)}
        </li>
      ))}
    </ul>
  );
}

/** Decorative: the name stands beside it. */
export function GroupLogo({ group }: { group: GroupItem }) {
  return <img className={styles['logo']} src={group.logo} alt="" width={48} height={48} />;
}

/** The numbers of members and documents of a group, and its description. */
export function GroupSize({ group }: { group: GroupItem }) {
  return (
    <p className={styles['about']}>
      <span>{formatNumber(group.member_count)} 位成员</span>
      <span>{formatNumber(group.fcount)} 份方案</span>
      {group.description && <span>{group.description}</span>}
    </p>
  );
}

export const JoinedTag = () => <span className={styles['joined']}>已加入</span>;

/** Rows of the final size while the groups are loaded. */
export function GroupRowsSkeleton({ count }: { count: number }) {
  return (
    <ul className={styles['rows']} aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <li key={index} className={styles['row']}>
          <span className={`${styles['blank']} ${styles['logo']}`} />
          <div>
            <span className={styles['blank']} data-part="name" />
            <span className={styles['blank']} data-part="about" />
          </div>
        </li>
      ))}
    </ul>
  );
}
