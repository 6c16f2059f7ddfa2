import { useEffect, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { continueWanted, takeWanted, type Wanted } from '../../accounts/web/continue-wanted.ts';
import { useSession } from '../../accounts/web/session.tsx';
import type { Member } from '../../membership/contract.ts';
import { REFUND_NOTICE, rightsOf } from '../../membership/web/prices/plans.ts';
import { usePurchase, type PurchaseWanted } from '../../membership/web/prices/purchase.tsx';
import { useSite } from '../../root-data.ts';
import { ContactDialog } from '../../site/web/dialogs/contact-dialog.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Sheet } from '../../ui/feedback/sheet.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { Tabs } from '../../ui/navigation/tabs.tsx';
import { yuan } from '../../ui/text/format-text.ts';
import type { Channel } from '../ports.ts';
import { channelsOn, deviceOf, type Device } from './device.ts';
import { defaultOffer, effectOf, offersOf, standingOf, type Effect, type Offer } from './offers.ts';
import { wishOf, type KeptOrder } from './kept-orders.ts';
import { itemsOf } from '../../prices/contract.ts';
import { askPrices, isFirstPurchase, type Prices } from './pay-calls.ts';
import styles from './pay-dialog.module.css';
import type { Standing } from './pay-frame.tsx';
import { PayPane } from './pay-pane.tsx';
import type { PayCode, PayVariant } from './pay-state.ts';
import { useKeptOrders } from './use-kept-orders.ts';

type PayDialogProps = {
  /** Null before the dialog was opened for the first time. */
  wanted: PurchaseWanted | null;
  /** `user-centre` sells `items` of the price list and polls each second, `site` sells `vip` and polls each 1.5 s (§4). */
  variant: PayVariant;
  isOpen: boolean;
  onClose: () => void;
  /** The action that continues when the page reloads 500 ms after the payment; null: the one noted by keepWanted, if any. */
  continues: Wanted | null;
};

/** C-55: time for the success and the new balance to be seen before the page reloads. */
const RELOAD_AFTER_MS = 500;
/** A payment is not held up by a member who cannot be loaded. */
const MAX_RELOAD_MEMBER_MS = 3_000;

const pageHere = () => window.location.pathname + window.location.search;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** The dialog in which memberships and coins are paid (§4). Where no payment provider is configured it names customer service. */
export function PayDialog({ wanted, variant, isOpen, onClose, continues }: PayDialogProps) {
  const { member } = useSession();
  const { revalidate } = useRevalidator();
  const [said, setSaid] = useState('');
  const offered = useSite()?.payChannels ?? [];
  const chosen = useRef<Chosen | null>(null);
  useLoginAgain(isOpen && offered.length > 0 && member === null, chosen);
  const latest = useRef(member);
  latest.current = member;
  const onMember = useRef<(() => void) | null>(null);
  useEffect(() => onMember.current?.(), [member]);
  const celebrate = async (order: KeptOrder, message: string, wish: Wanted | null) => {
    onClose();
    toast.success(message);
    setSaid(message);
    // The end of the revalidation alone does not say that the page has rendered its data.
    const loaded = new Promise<void>((resolve) => (onMember.current = resolve));
    void revalidate();
    await Promise.race([loaded, sleep(MAX_RELOAD_MEMBER_MS)]);
    await sleep(RELOAD_AFTER_MS);
    const standing = latest.current && standingOf(latest.current, order.kind);
    continueWanted(standing ? `${message} · ${standing}` : message, wish);
  };
  /** Without a dialog the reader is busy with something else: the page stays, and what was wanted goes on by a press. */
  const mention = (message: string, wish: Wanted | null) => {
    setSaid(message);
    void revalidate();
    if (!wish) return toast.success(message);
    toast.offer('success', message, '继续刚才的操作', () => continueWanted(message, wish));
  };
  const { kept, keep, pay } = useKeptOrders((order, { newestName, wasLoading }) => {
    const isOther = order.name !== '' && order.name !== (chosen.current?.name ?? newestName);
    const message = isOther ? `支付成功，到账的是「${order.name}」` : '支付成功';
    const wish = wishOf(order, pageHere()) ?? takeWanted();
    if (isOpen || (wish && wasLoading)) void celebrate(order, message, wish);
    else mention(message, wish);
  });
  const ofDialog = (code: PayCode, name: string): KeptOrder => ({
    ...code,
    name,
    continues,
    page: pageHere(),
    userId: member?.user_id ?? 0,
  });
  return (
    <>
      <span role="status" className="visually-hidden">
        {said}
      </span>
      {offered.length === 0 && (
        <ContactForPurchase wanted={wanted} variant={variant} isOpen={isOpen} onClose={onClose} />
      )}
      {offered.length > 0 && isOpen && wanted && member && (
        <Sheet title="开通与充值" isWide isKeptByPress onClose={onClose}>
          <Purchasing
            wanted={wanted}
            variant={variant}
            member={member}
            offered={offered}
            kept={kept}
            onChoose={(choice) => void (chosen.current = choice)}
            onIssued={(code, name) => keep(ofDialog(code, name))}
            onPaid={(code, name) =>
              pay(kept.find(({ outTradeNo }) => outTradeNo === code.outTradeNo) ?? ofDialog(code, name))
            }
          />
        </Sheet>
      )}
    </>
  );
}

/** What is chosen in the dialog. `name` and `itemId` are missing while nothing is on sale. */
type Chosen = Required<Pick<PurchaseWanted, 'kind' | 'channel'>> & { name: string | null; itemId?: number };

/** When the session ends under the open dialog, leads to the login, after which the dialog opens again with the same choice. */
function useLoginAgain(isNeeded: boolean, chosen: { current: Chosen | null }): void {
  const { isLeaving } = useSession();
  const purchase = usePurchase();
  const latest = useRef(purchase);
  latest.current = purchase;
  useEffect(() => {
    if (!isNeeded) return;
    const { wanted, continues, open, close } = latest.current;
    close();
    const { name: _name, ...choice } = chosen.current ?? { name: null };
    if (wanted && !isLeaving) open({ ...wanted, ...choice }, continues ?? undefined);
  }, [isNeeded, isLeaving, chosen]);
}

/**
 * Returns the price list: null while it is loaded, `failed` when it could not be. `dropWithdrawn` loads it again when `itemId` was refused, and
 * says so where the item has gone off sale since.
 */
function usePrices(isWanted: boolean) {
  const [prices, setPrices] = useState<Prices | 'failed' | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (!isWanted) return;
    let isCurrent = true;
    setPrices(null);
    void askPrices()
      .catch(() => 'failed' as const)
      .then((answer) => isCurrent && setPrices(answer));
    return () => void (isCurrent = false);
  }, [isWanted, attempt]);
  const dropWithdrawn = async (itemId: number) => {
    const latest = await askPrices().catch(() => null);
    if (!latest || itemsOf(latest).some(({ id }) => id === itemId)) return;
    toast.warning('该商品已下架');
    setPrices(latest);
  };
  return { prices, retry: () => setAttempt((count) => count + 1), dropWithdrawn };
}

const KINDS = [
  { value: 'vip', label: '开通会员' },
  { value: 'coin', label: '喵币充值' },
] as const;

/** The content of the open dialog: what is bought on the left, how it is paid on the right; on a phone one above the other. */
function Purchasing(props: {
  wanted: PurchaseWanted;
  variant: PayVariant;
  member: Member;
  offered: readonly Channel[];
  kept: readonly KeptOrder[];
  /** Null until there is a choice. */
  onChoose: (choice: Chosen | null) => void;
  onIssued: (code: PayCode, name: string) => void;
  onPaid: (code: PayCode, name: string) => void;
}) {
  const { wanted, variant, member } = props;
  const { prices, retry, dropWithdrawn } = usePrices(true);
  const [kind, setKind] = useState(wanted.kind);
  const [openedAt] = useState(() => Date.now());
  const [chosenId, setChosenId] = useState<number | null>(null);
  const [device] = useState<Device>(() => deviceOf(navigator.userAgent));
  const channels = channelsOn(device, props.offered);
  const [channel, setChannel] = useState<Channel>(
    channels.find((each) => each === wanted.channel) ?? channels[0] ?? 'wechat',
  );
  const [isFirst, setIsFirst] = useState<boolean | null>(null);
  const [isAgreed, setIsAgreed] = useState(false);
  useEffect(() => void isFirstPurchase().then(setIsFirst), []);
  const root = useRef<HTMLDivElement>(null);
  // Nothing is ordered before it is known whether the agreement has to be ticked.
  const isFailed = prices === 'failed';
  const isLoaded = prices !== null && prices !== 'failed' && isFirst !== null;
  useEffect(() => {
    // The choice is where a person begins; the dialog itself would focus its cross.
    const begin = isFailed ? '[role=alert] button' : 'input[name=pay-offer]:checked';
    if (isFailed || isLoaded) root.current?.querySelector<HTMLElement>(begin)?.focus({ preventScroll: true });
  }, [isFailed, isLoaded, prices]);
  const retryByPress = () => {
    // The button that was pressed goes away.
    root.current?.focus({ preventScroll: true });
    retry();
  };

  const offers = isLoaded ? offersOf(prices, kind, variant, wanted.itemId) : [];
  const offer =
    offers.find(({ item }) => item.id === chosenId) ??
    defaultOffer(offers, kind, kind === wanted.kind ? wanted : { kind });
  const effect = offer && effectOf(offer.item, member, openedAt);
  const standing: Standing =
    isLoaded || isFailed ? (!offer ? 'nothing' : effect?.isUseless ? 'useless' : 'offered') : 'loading';
  const nameOf = ({ itemId }: PayCode) => (isLoaded && namesOf(prices, variant, wanted.itemId).get(itemId)) || '';
  const { onChoose } = props;
  useEffect(() => {
    onChoose(isLoaded ? { kind, channel, name: offer?.name ?? null, ...(offer && { itemId: offer.item.id }) } : null);
  });
  return (
    <div ref={root} className={styles['dialog']} data-bare={standing === 'nothing' || undefined} tabIndex={-1}>
      <div className={styles['choose']}>
        <Tabs tabs={KINDS} value={kind} onChange={setKind} label="买什么">
          {() =>
            isFailed ? (
              <LoadFailure onRetry={retryByPress} />
            ) : (
              <>
                {!isLoaded ? (
                  <OfferSkeletons />
                ) : (
                  <Offers offers={offers} chosen={offer} onChoose={(item) => setChosenId(item.id)} />
                )}
                {effect && offer && <EffectLines effect={effect} item={offer.item} />}
              </>
            )
          }
        </Tabs>
      </div>
      <PayPane
        variant={variant}
        offer={offer}
        standing={standing}
        channels={channels}
        channel={channel}
        onChannel={setChannel}
        device={device}
        fid={wanted.fid}
        agreement={!isFirst ? 'given' : isAgreed ? 'ticked' : 'open'}
        onAgree={setIsAgreed}
        onPaid={(code) => props.onPaid(code, nameOf(code))}
        onRefused={(itemId) => void dropWithdrawn(itemId)}
        tabOrders={{ earlier: props.kept, keep: (code) => props.onIssued(code, nameOf(code)) }}
      />
      <p className={styles['notice']}>
        {kind === 'vip' && '到期后自动停止，不自动续费。'}
        {REFUND_NOTICE}
      </p>
    </div>
  );
}

const namesOf = (prices: Prices, variant: PayVariant, wantedId: number | undefined) =>
  new Map(
    (['vip', 'coin'] as const).flatMap((kind) =>
      offersOf(prices, kind, variant, wantedId).map(({ item, name }) => [item.id, name] as const),
    ),
  );

function Offers(props: { offers: Offer[]; chosen: Offer | null; onChoose: (item: Offer['item']) => void }) {
  if (props.offers.length === 0) return <p className={styles['none']}>暂无在售商品，请稍后再来。</p>;
  return (
    <fieldset className={styles['offers']}>
      <legend className="visually-hidden">选择商品</legend>
      {props.offers.map(({ item, name, term, note, isRecommended }) => (
        <label key={item.id} className={styles['offer']}>
          <input
            type="radio"
            name="pay-offer"
            checked={item.id === props.chosen?.item.id}
            onChange={() => props.onChoose(item)}
          />
          <span className={styles['name']}>
            {name}
            {isRecommended && <span className={styles['badge']}>推荐</span>}
          </span>
          <span className={styles['term']}>{[term, note].filter(Boolean).join(' · ')}</span>
          <span className={styles['price']}>
            ¥{yuan(item.price)}
            {item.org_price > item.price && (
              <s>
                <span className="visually-hidden">原价</span>¥{yuan(item.org_price)}
              </s>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function OfferSkeletons() {
  return (
    <div className={styles['offers']} aria-busy="true" aria-label="正在加载价格">
      {[0, 1, 2].map((index) => (
        <span key={index} className={styles['skeleton']} />
      ))}
    </div>
  );
}

function EffectLines({ effect, item }: { effect: Effect; item: Offer['item'] }) {
  if (effect.isUseless) return <p className={styles['warning']}>{effect.warning}</p>;
  return (
    <>
      <dl className={styles['effect']}>
        <div>
          <dt>现在</dt>
          <dd>{effect.before}</dd>
        </div>
        <div>
          <dt>{effect.verb}后</dt>
          <dd>{effect.after}</dd>
        </div>
      </dl>
      {item.kind === 'vip' && (
        <ul className={styles['rights']}>
          {rightsOf(item.tier === 2 ? 2 : 1).map((right) => (
            <li key={right}>{right}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function LoadFailure({ onRetry }: { onRetry: () => void }) {
  return (
    <div className={styles['failure']} role="alert">
      <p>价格没有加载出来，请检查网络后重试</p>
      <Button onClick={onRetry}>重试</Button>
    </div>
  );
}

/** Without a payment provider customer service grants what is wanted. */
function ContactForPurchase(props: {
  wanted: PurchaseWanted | null;
  variant: PayVariant;
  isOpen: boolean;
  onClose: () => void;
}) {
  const { wanted, variant } = props;
  const { member } = useSession();
  const { prices } = usePrices(props.isOpen);
  const offers = wanted && prices && prices !== 'failed' ? offersOf(prices, wanted.kind, variant, wanted.itemId) : [];
  const offer = wanted && defaultOffer(offers, wanted.kind, wanted);
  const who = member ? `请告诉客服您的用户ID ${member.user_id}` : '还没有账号也没关系，客服会一并为您开通';
  const what = offer ? `，以及您想要的：${offer.name}（¥${yuan(offer.item.price)}）` : '';
  return (
    <ContactDialog
      isOpen={props.isOpen}
      onClose={props.onClose}
      title={wanted?.kind === 'coin' ? '联系客服充值' : '联系客服开通'}
      text={`${who}${what}。处理完成后立即生效，无需重新登录。`}
      note={REFUND_NOTICE}
    />
  );
}
