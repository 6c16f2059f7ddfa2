import { Button } from '../../../ui/controls/button.tsx';
import { Sheet } from '../../../ui/feedback/sheet.tsx';
import styles from './download-dialogs.module.css';
import { coinQuestion, quotaNote } from './quote-text.ts';
import type { WaysOut } from '../../contract-ways-out.ts';
import type { PurchaseWanted } from '../prices/purchase.tsx';
import type { Download } from './use-download.ts';
import { WaysOutList } from './ways-out-list.tsx';

/**
 * Renders the question about coins, and 温馨提示 with the server's message and the ways out (C-36, C-42). Put it once on the
 * page.
 */
export function DownloadDialogs({ download }: { download: Download }) {
  const { dialog: shown } = download;
  if (!shown) return null;
  return (
    <Sheet title={shown.kind === 'coin' ? '确认下载' : '温馨提示'} onClose={download.dismiss}>
      <p className={styles['text']}>{shown.kind === 'coin' ? coinQuestion(shown.quote) : shown.message}</p>
      {shown.kind === 'coin' && (
        <p className={styles['note']}>
          下载后永久归您所有，再次下载不重复扣费。{quotaNote(shown.quote) && `${quotaNote(shown.quote)}。`}
        </p>
      )}
      {shown.kind === 'refused' && shown.ways && (
        <div className={styles['ways']}>
          <WaysOutList wanted="download" ways={shown.ways} onBuy={download.buy} />
        </div>
      )}
      <div className={styles['actions']}>
        <Button onClick={download.dismiss}>取消</Button>
        {shown.kind === 'coin' ? (
          <Button look="primary" onClick={download.confirm} data-autofocus>
            确认下载
          </Button>
        ) : (
          <Button look="primary" onClick={() => download.buy(coinsFor(shown.ways))} data-autofocus>
            去充值
          </Button>
        )}
      </div>
    </Sheet>
  );
}

/** §8: 去充值 opens the pay form with coins, with the pack that covers what is missing (C-110). */
const coinsFor = (ways: WaysOut | null): PurchaseWanted => ({
  kind: 'coin',
  ...(ways && { missingCoins: ways.missing }),
  ...(ways?.pack && { itemId: ways.pack.id }),
});
