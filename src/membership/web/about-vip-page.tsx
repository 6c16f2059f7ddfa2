import { useState } from 'react';
import { useSession } from '../../accounts/web/session.tsx';
import { callFrom } from '../../page-context.ts';
import { listPrices } from '../../payment/contract.ts';
import { expectOk } from '../../protocol/call.ts';
import { Glyph } from '../../ui/mark.tsx';
import { ContactDialog } from '../../site/web/contact-dialog.tsx';
import type { Route } from './+types/about-vip-page';
import styles from './about-vip-page.module.css';
import { CoinPacks } from './coin-packs.tsx';
import { MemberStanding } from './member-standing.tsx';
import { PlanTable } from './plan-table.tsx';
import { plansOf } from './plans.ts';

export async function loader({ context }: Route.LoaderArgs) {
  return expectOk(await callFrom(context)(listPrices, {}));
}

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  const root = matches[0].loaderData;
  return [
    { title: `开通会员 - ${root?.site.name ?? '策库'}` },
    {
      name: 'description',
      content: '会员每天 20 张下载券，搜索结果不限条数。季度、年度、终身三种套餐，到期不自动续费。',
    },
    { tagName: 'link', rel: 'canonical', href: `${root?.origin ?? ''}/aboutVip` },
  ];
}

export default function AboutVipPage({ loaderData }: Route.ComponentProps) {
  const { member, openLogin } = useSession();
  const [wanted, setWanted] = useState<string | null>(null);
  return (
    <div className={styles['page']}>
      <section className={styles['hero']}>
        <span className={styles['glyph']}>
          <Glyph size={380} />
        </span>
        <div className={styles['words']}>
          <p className={styles['kicker']}>策库会员</p>
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
            <button type="button" onClick={() => openLogin()}>
              登录查看今日额度
            </button>
          </p>
        )}
      </section>
      <PlanTable plans={plansOf(loaderData.vip)} onWant={setWanted} />
      <section className={styles['notes']} aria-label="购买须知">
        <p>会员为虚拟商品，开通后不支持退款；重复支付、未到账或文件损坏可申请退款。</p>
        <p>到期后自动停止，不自动续费。已下载的方案到期后仍可再次下载。</p>
      </section>
      <CoinPacks packs={loaderData.miao} onWant={setWanted} />
      <ContactDialog
        isOpen={wanted !== null}
        onClose={() => setWanted(null)}
        title={wanted?.includes('喵币') ? '联系客服充值' : '联系客服开通'}
        text={dialogText(wanted, member?.id ?? null)}
      />
    </div>
  );
}

/** Returns the text of the dialog. It keeps the last choice while the dialog fades out. */
function dialogText(wanted: string | null, userId: number | null): string {
  const who = userId === null ? '还没有账号也没关系，客服会一并为您开通' : `请告诉客服您的用户ID ${userId}`;
  return `${who}${wanted ? `，以及您想要的：${wanted}` : ''}。处理完成后立即生效，无需重新登录。`;
}
