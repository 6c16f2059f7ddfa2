import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useSession } from '../../../accounts/web/session.tsx';
import { callFrom } from '../../../page-context.ts';
import { pageMeta } from '../../../page-head.ts';
import { itemsOf, listPrices, type PriceItem } from '../../../prices/contract.ts';
import { expectOk } from '../../../protocol/call.ts';
import { toast } from '../../../ui/feedback/toast.tsx';
import { Glyph } from '../../../ui/pictures/mark.tsx';
import { useSite } from '../../../root-data.ts';
import type { Route } from './+types/about-vip-page';
import styles from './about-vip-page.module.css';
import { CoinPacks } from './coin-packs.tsx';
import { MemberStanding } from '../standing/member-standing.tsx';
import { PlanTable } from './plan-table.tsx';
import { plansOf, REFUND_NOTICE } from './plans.ts';
import { itemOfHash, usePurchase } from './purchase.tsx';

export async function loader({ context }: Route.LoaderArgs) {
  return expectOk(await callFrom(context)(listPrices, {}));
}

export function meta({ matches, loaderData }: Route.MetaArgs): Route.MetaDescriptors {
  const root = matches[0].loaderData;
  const names = plansOf(loaderData?.vip ?? []).flatMap(({ name, item }) => (item ? [name] : []));
  return pageMeta(root, {
    title: '开通会员',
    description: `会员每天 20 张下载券，搜索结果不限条数。${names.join('、')}，到期不自动续费。`,
    path: '/aboutVip',
  });
}

export default function AboutVipPage({ loaderData }: Route.ComponentProps) {
  const { member, openLogin } = useSession();
  const { open } = usePurchase();
  const buy = (item: PriceItem) => open({ kind: item.kind, itemId: item.id });
  useLinkedPurchase(itemsOf(loaderData), buy);
  return (
    <div className={styles['page']}>
      <section className={styles['hero']}>
        <span className={styles['glyph']}>
          <Glyph size={380} />
        </span>
        <div className={styles['words']}>
          <p className={styles['kicker']}>{useSite()?.name}会员</p>
          <h1 className={styles['title']}>
            <span>把找方案的时间，</span>
            <span>留给想方案</span>
          </h1>
          <p className={styles['lead']}>每天 20 张下载券，搜索结果不限条数，新方案每日更新。</p>
        </div>
        {member ? (
          <MemberStanding member={member} />
        ) : (
          <p className={styles['login']}>
            已有账号？
            <button type="button" className="touch-target" onClick={() => openLogin()}>
              登录查看今日额度
            </button>
          </p>
        )}
      </section>
      <PlanTable plans={plansOf(loaderData.vip)} sessions={loaderData.session_limits} onWant={buy} />
      <section className={styles['notes']} aria-label="购买须知">
        <p>{REFUND_NOTICE}</p>
        <p>到期后自动停止，不自动续费。已下载的方案到期后仍可再次下载。</p>
      </section>
      <CoinPacks packs={loaderData.miao} onWant={buy} />
    </div>
  );
}

/** Opens the dialog for the item that the address names, as in a link that a phone sent to this computer; says when it is off sale. */
function useLinkedPurchase(items: readonly PriceItem[], buy: (item: PriceItem) => void): void {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const id = itemOfHash(hash);
  const linked = items.find((item) => item.id === id);
  useEffect(() => {
    if (id === null) return;
    // Once: the page that is loaded again after the payment opens nothing.
    void navigate({ hash: '' }, { replace: true, preventScrollReset: true });
    if (linked) buy(linked);
    else toast.error('该商品已下架');
    // The item is new in each rendering; its id is what the address names.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [id]);
}
