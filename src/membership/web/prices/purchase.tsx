import { createContext, use, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { keepWanted, takeResumeAfter, type Wanted } from '../../../accounts/web/continue-wanted.ts';
import { useSession } from '../../../accounts/web/session.tsx';
import { useSite } from '../../../root-data.ts';

/**
 * The choice that the pay dialog opens with (C-110). `kind` is the tab. `itemId` is the item of the price list; without one, or when it is off sale,
 * the default of the tab is chosen: for memberships the second item, for coins the smallest pack that covers `missingCoins`.
 */
export type PurchaseWanted = {
  kind: 'vip' | 'coin';
  itemId?: number;
  missingCoins?: number;
  /** The channel of the order that is continued; the first one of this device unless given. */
  channel?: 'wechat' | 'alipay';
  /** The document whose page the purchase starts from; the order keeps it. */
  fid?: number;
};

export type Purchase = {
  /** Null before the dialog was opened for the first time; the last choice stays while the dialog fades out. */
  wanted: PurchaseWanted | null;
  isOpen: boolean;
  /** The action that continues after the payment; null: the note of keepWanted, or the page that the dialog stands on. */
  continues: Wanted | null;
  /**
   * Opens the pay dialog; a visitor logs in first. `continues`: the action or page that goes on after the payment. The pages below payment
   * in the line of slices open the dialog by this; site/web/dialogs/pay-dialog-slot.tsx shows it.
   */
  open(wanted: PurchaseWanted, continues?: Wanted): void;
  close(): void;
};

const PurchaseContext = createContext<Purchase | null>(null);

/** Returns how to buy. Only under PurchaseProvider. */
export function usePurchase(): Purchase {
  const purchase = use(PurchaseContext);
  if (!purchase) throw new Error('usePurchase outside PurchaseProvider');
  return purchase;
}

/** Returns whether the site takes payments; without a payment provider customer service grants what is bought. */
export const useTakesPayments = (): boolean => (useSite()?.payChannels.length ?? 0) > 0;

const RESUME_PREFIX = 'purchase:';

export function PurchaseProvider({ children }: { children: ReactNode }) {
  const { member, openLogin } = useSession();
  const [shown, setShown] = useState<{ wanted: PurchaseWanted; continues: Wanted | null } | null>(null);
  const { pathname } = useLocation();
  /** The page that the dialog is open on; null while it is closed. The Back button leaves both. */
  const [openOn, setOpenOn] = useState<string | null>(null);
  useEffect(() => setOpenOn((path) => (path === pathname ? path : null)), [pathname]);
  const isOpen = openOn === pathname;
  const isMember = member !== null;
  const latest = useRef({ isMember, openLogin, pathname });
  latest.current = { isMember, openLogin, pathname };
  const functions = useMemo(
    () => ({
      open(wanted: PurchaseWanted, continues?: Wanted) {
        if (!latest.current.isMember) {
          if (continues) keepWanted(continues);
          const reason = wanted.kind === 'coin' ? '登录后充值' : '登录后开通会员';
          latest.current.openLogin(reason, RESUME_PREFIX + JSON.stringify(wanted));
          return;
        }
        setShown({ wanted, continues: continues ?? null });
        setOpenOn(latest.current.pathname);
      },
      close: () => setOpenOn(null),
    }),
    [],
  );
  useEffect(() => {
    const key = isMember ? takeResumeAfter(RESUME_PREFIX) : null;
    // Safe: the note was written above, in this tab, no more than a minute ago.
    if (key !== null) functions.open(JSON.parse(key) as PurchaseWanted);
  }, [isMember, functions]);
  const purchase = useMemo<Purchase>(
    () => ({ wanted: shown?.wanted ?? null, continues: shown?.continues ?? null, isOpen, ...functions }),
    [shown, isOpen, functions],
  );
  return <PurchaseContext value={purchase}>{children}</PurchaseContext>;
}

/** The hash of /aboutVip that opens the dialog with an item: the link that a phone sends to a computer. */
export const purchaseHash = (itemId: number) => `#buy=${itemId}`;

/** Returns the item of such a hash; null for any other. */
export const itemOfHash = (hash: string): number | null => {
  const [, id] = /^#buy=(\d{1,9})$/.exec(hash) ?? [];
  return id === undefined ? null : Number(id);
};
