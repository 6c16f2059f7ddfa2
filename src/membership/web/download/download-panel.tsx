import { useSession } from '../../../accounts/web/session.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { yuan } from '../../../ui/text/format-text.ts';
import { DownloadButton } from './download-button.tsx';
import styles from './download-panel.module.css';
import { barText, buttonText, quotaNote, quoteText, type Quote } from './quote-text.ts';
import type { PurchaseWanted } from '../prices/purchase.tsx';
import type { Download } from './use-download.ts';

/** Renders the price of a download and the button. `bar` is the shape at the bottom edge of a phone. */
export function DownloadPanel(props: {
  download: Download;
  /** Null for visitors, or when the quote could not be loaded: then the list price is shown. */
  quote: Quote | null;
  price: number;
  shape: 'card' | 'bar';
}) {
  const { member } = useSession();
  const isMember = (member?.vip_last_day ?? 0) > 0;
  const whole = quoteText(props.quote, props.price, isMember);
  const isBar = props.shape === 'bar';
  const text = isBar ? barText(props.quote, whole) : whole;
  const hasUpsell = props.shape === 'card' && !isMember && props.price > 0 && props.quote?.method !== 'owned';
  return (
    <div className={styles[props.shape]}>
      <p className={[styles['quote'], styles[text.tone]].join(' ')}>
        <span className={styles['main']}>{withUnits(text.main)}</span>
        {text.note && <span className={styles['note']}>{isBar ? text.note : `（${text.note}）`}</span>}
      </p>
      <DownloadButton
        download={props.download}
        // The bar is too narrow for the sum, which the line beside it shows.
        label={isBar ? shortButtonText(props.quote) : buttonText(props.quote)}
        size="large"
      />
      {props.download.phase.name === 'failed' && props.shape === 'card' && (
        <p className={styles['failed']}>下载失败，请重试（不会重复扣费）</p>
      )}
      {props.shape === 'card' && quotaNote(props.quote) !== '' && (
        <p className={styles['note']}>{quotaNote(props.quote)}</p>
      )}
      {hasUpsell && (
        <Button look="gold" onClick={() => props.download.buy(planOf(props.quote))}>
          开通会员免费下载{props.quote?.vip && ` ¥${yuan(props.quote.vip.price)} 起`} <span aria-hidden="true">›</span>
        </Button>
      )}
    </div>
  );
}

/** Keeps each number with its unit on one line: 1 张, 25 喵币. */
const withUnits = (text: string) => text.replaceAll(/(?<=\d) (?=\p{Script=Han})/gu, '\u00a0');

const shortButtonText = (quote: Quote | null) => buttonText(quote).replace(/（.*$/, '');

const planOf = (quote: Quote | null): PurchaseWanted => ({ kind: 'vip', ...(quote?.vip && { itemId: quote.vip.id }) });
