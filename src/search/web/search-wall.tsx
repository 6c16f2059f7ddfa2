import { lazy, Suspense, useState } from 'react';
import { useSession } from '../../accounts/web/session.tsx';
import { DocumentCardSkeleton } from '../../library/web/document-card-skeleton.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import styles from './search-wall.module.css';

const UnlockDialog = lazy(() => import('./unlock-dialog.tsx').then((module) => ({ default: module.UnlockDialog })));

/** Shapes of what is behind the wall, for the same grid: after ten cards they fill the row and one more. They carry nothing. */
export function silhouettes(shown: number) {
  const count = shown % 4 === 2 ? 6 : 4;
  return Array.from({ length: count }, (_, index) => <DocumentCardSkeleton key={`behind${index}`} isStill />);
}

/** The end of what is shown below VIP (C-37): how many there are, how many were shown, one way on. */
export function SearchWall({ total, shown }: { total: number; shown: number }) {
  const { member, openLogin } = useSession();
  const [isAsking, setIsAsking] = useState<boolean | null>(null);
  return (
    <div className={styles['wall']}>
      <p className={styles['count']}>
        共 {total.toLocaleString('en-US')} 份，{shown > 0 ? `已显示 ${shown} 份` : '仅可查看前 10 份'}
      </p>
      <p className={styles['text']}>普通用户仅可查看前10条搜索结果，开通VIP解锁无限方案搜索</p>
      {member ? (
        <Button look="primary" size="large" onClick={() => setIsAsking(true)}>
          解锁
        </Button>
      ) : (
        <div className={styles['ways']}>
          <Button look="primary" size="large" onClick={() => openLogin('会员登录后可查看全部搜索结果')}>
            登录
          </Button>
          <LinkButton to="/aboutVip" size="large">
            开通VIP
          </LinkButton>
        </div>
      )}
      {isAsking !== null && (
        <Suspense>
          <UnlockDialog isOpen={isAsking} onClose={() => setIsAsking(false)} total={total} />
        </Suspense>
      )}
    </div>
  );
}
