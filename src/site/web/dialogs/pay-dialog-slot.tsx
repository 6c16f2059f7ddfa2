import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { usePurchase } from '../../../membership/web/prices/purchase.tsx';
import { hasOrdersNote } from '../../../payment/web/orders-note.ts';
import { LazyBoundary, lazyWithRetry } from '../../../ui/feedback/lazy-boundary.tsx';

/** Loads the dialog, its contract and the QR encoder only when somebody wants to buy, or left an order of this tab unpaid. */
const PayDialog = lazyWithRetry(() => import('../../../payment/web/pay-dialog.tsx').then((module) => module.PayDialog));

/** Shows the pay dialog that any page opens by usePurchase: in the user centre its own variant, elsewhere that of the site (§4). */
export function PayDialogSlot() {
  const { wanted, isOpen, continues, close } = usePurchase();
  const { pathname } = useLocation();
  const [isWanted, setIsWanted] = useState(false);
  useEffect(() => {
    if (isOpen || hasOrdersNote()) setIsWanted(true);
  }, [isOpen, wanted]);
  if (!isWanted) return null;
  return (
    <LazyBoundary onOpenChange={setIsWanted}>
      <PayDialog
        wanted={wanted}
        variant={/^\/user(\/|$)/.test(pathname) ? 'user-centre' : 'site'}
        isOpen={isOpen}
        onClose={close}
        continues={continues}
      />
    </LazyBoundary>
  );
}
