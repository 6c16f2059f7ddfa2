import { useCallback, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { call } from '../../../accounts/web/call.ts';
import { keepWanted } from '../../../accounts/web/continue-wanted.ts';
import { useSession } from '../../../accounts/web/session.tsx';
import type { WaysOut } from '../../../membership/contract-ways-out.ts';
import type { ReadingRight } from '../../../membership/rules.ts';
import { WaysOutList } from '../../../membership/web/download/ways-out-list.tsx';
import { PLANS_PAGE } from '../../../membership/web/download/ways-out-text.ts';
import { usePurchase, type PurchaseWanted } from '../../../membership/web/prices/purchase.tsx';
import { useWaysOut } from '../../../membership/web/use-ways-out.ts';
import { readPages, type DocumentDetail } from '../../contract.ts';
import { isReadable } from '../../rules.ts';
import styles from './end-of-preview.module.css';
import { pageHash } from '../pages/use-wanted-page.ts';

/**
 * Returns the ways to the page after the preview for a reader without the right to it, as the server tells them when it
 * refuses that page; null before. The server is asked once the reader has come near (`isNear`). `page` is 0 for a reader with
 * the right.
 */
export function useWaysToRead(fid: number, page: number, isNear: boolean): WaysOut | null {
  const [wasNear, setWasNear] = useState(false);
  if (isNear && !wasNear) setWasNear(true);
  const ask = useCallback(() => call(readPages, { fid, from: page, count: 1 }), [fid, page]);
  return useWaysOut(wasNear && page > 0 ? ask : null);
}

/**
 * Says why the pages end here for this reader, and the ways to read on (§8, C-42). `ways` is null until the server has
 * told them. `page` is the first page after the preview, or the one that the reader wanted.
 */
export function EndOfPreview(props: {
  detail: DocumentDetail;
  right: ReadingRight;
  ways: WaysOut | null;
  page: number;
  /** The PDF of the deck is still being made: nobody can read on yet. */
  isPending: boolean;
}) {
  const { detail, ways } = props;
  const { pathname, search } = useLocation();
  const { page_count: total, price } = detail;
  const purchase = usePurchase();
  const { member } = useSession();
  if (props.isPending && isReadable(props.right)) return <p>全文正在准备，请稍后再来；共 {total} 页</p>;
  const wish = { key: null, address: pathname + search + pageHash(props.page) };
  const buy = (wanted: PurchaseWanted) => purchase.open({ ...wanted, fid: detail.id }, wish);
  const list = ways && (
    <div className={styles['ways']}>
      <WaysOutList wanted="reading" ways={ways} onBuy={buy} />
    </div>
  );
  const isOffered = detail.preview_only === 0;
  // Reading is not sold without a word before the pages exist.
  const pending = props.isPending && <p>全文准备中{isOffered && '，可先下载'}</p>;
  if (props.right === 'over-limit') {
    const kept = price > 0 ? '下载后永久可读' : '下载不占用阅读次数';
    return (
      <>
        <p>本月阅读次数已达上限</p>
        <p>
          {isOffered && `${kept}，`}共 {total} 页{!ways && '；阅读次数下月 1 日恢复'}
        </p>
        {pending}
        {list}
      </>
    );
  }
  return (
    <>
      <p>预览到此为止，共 {total} 页</p>
      <p>
        {member ? (
          <button
            type="button"
            className={styles['buy']}
            onClick={() => buy({ kind: 'vip', ...(ways?.vip && { itemId: ways.vip.id }) })}
          >
            开通会员
          </button>
        ) : (
          // The login dialog cannot open above the viewer.
          <Link to={PLANS_PAGE} onClick={() => keepWanted(wish)}>
            开通会员
          </Link>
        )}
        可在线阅读全文{isOffered && '，下载后永久可读'}
      </p>
      {pending}
      {list}
    </>
  );
}
