import { useEffect, useRef } from 'react';
import { useRevalidator } from 'react-router';
import { listenToOrders } from './order-stream.ts';

/**
 * Loads the data of the page again, with the member's balance and membership, when an order of the member is paid: by a
 * phone after the dialog was closed, or in another tab. `isWaiting`: an order on the page waits for its payment.
 */
export function useOrderEvents(isWaiting: boolean): void {
  const { revalidate } = useRevalidator();
  const latest = useRef(revalidate);
  latest.current = revalidate;
  useEffect(() => {
    if (!isWaiting) return;
    const reload = () => void latest.current();
    return listenToOrders({ onOrder: reload, onReturn: reload });
  }, [isWaiting]);
}
