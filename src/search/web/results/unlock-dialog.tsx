import { Link } from 'react-router';
import { Button } from '../../../ui/controls/button.tsx';
import { CheckIcon } from '../../../ui/pictures/icons.tsx';
import { usePurchase } from '../../../membership/web/prices/purchase.tsx';
import { Sheet } from '../../../ui/feedback/sheet.tsx';
import styles from './unlock-dialog.module.css';
import { formatNumber } from '../../../protocol/format-number.ts';

const REASONS = ['搜索结果不限数量，逐页看完', '每天 20 张下载券'];

/** Explains what membership unlocks in search, and sells it (§2, C-38). */
export function UnlockDialog(props: { isOpen: boolean; onClose: () => void; total: number }) {
  const { open } = usePurchase();
  const buy = () => {
    props.onClose();
    open({ kind: 'vip' });
  };
  if (!props.isOpen) return null;
  return (
    <Sheet title="VIP解锁无限方案搜索" onClose={props.onClose}>
      <p className={styles['text']}>本次搜索共有 {formatNumber(props.total)} 份方案。开通会员后：</p>
      <ul className={styles['reasons']}>
        {REASONS.map((reason) => (
          <li key={reason}>
            <CheckIcon size={18} />
            {reason}
          </li>
        ))}
      </ul>
      <Button look="primary" size="large" className={styles['go']} onClick={buy} data-autofocus>
        立即开通
      </Button>
      <Link to="/aboutVip" className={styles['compare']}>
        查看会员权益
      </Link>
    </Sheet>
  );
}
