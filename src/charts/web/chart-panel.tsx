import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { call } from '../../accounts/web/call.ts';
import { useSession } from '../../accounts/web/session.tsx';
import type { Tier } from '../../membership/rules.ts';
import { waysText, type Way } from '../../membership/web/download/ways-out-text.ts';
import { usePurchase } from '../../membership/web/prices/purchase.tsx';
import { useWaysOut } from '../../membership/web/use-ways-out.ts';
import { CODE } from '../../protocol/codes.ts';
import { Button, LinkButton } from '../../ui/controls/button.tsx';
import { CheckIcon } from '../../ui/pictures/icons.tsx';
import { DownloadIcon } from '../../ui/pictures/tool-icons.tsx';
import { getChartNumbers, openOriginalChart, type ChartItem, type ChartNumbers } from '../contract.ts';
import styles from './chart-panel.module.css';
import { ChartSilhouette } from './chart-silhouette.tsx';
import { NumbersTable } from './numbers-table.tsx';
import { chartKey } from './page-charts.tsx';
import { formatNumber } from '../../protocol/format-number.ts';

/** A link to the original picture; null for a chart that has none. */
type Original = { url: string; file_name: string } | null;

/** The server's answer when an advanced member opens a chart. */
type Opened =
  | { state: 'loading' }
  | { state: 'open'; numbers: ChartNumbers; original: Original }
  /** The membership has ended, or the document is no longer published. */
  | { state: 'refused'; code: number; message: string }
  | { state: 'failed' };

/**
 * A chart for this reader: picture, numbers and files for advanced members (C-39); for all others what they may see and
 * what the rest needs.
 */
export function ChartPanel({ chart }: { chart: ChartItem }) {
  const { member } = useSession();
  const [attempt, setAttempt] = useState(0);
  const [opened, setOpened] = useState<Opened>({ state: 'loading' });
  const hasRight = member?.unlock_chart === 1;
  const { id, fid, has_picture: hasPicture } = chart;
  useEffect(() => {
    if (!hasRight) return;
    let isShown = true;
    setOpened({ state: 'loading' });
    void askChart(id, fid, hasPicture === 1).then((answer) => isShown && setOpened(answer));
    return () => {
      isShown = false;
    };
  }, [id, fid, hasPicture, hasRight, attempt]);
  if (!member) return <ChartForVisitor chart={chart} />;
  if (!hasRight) return <ChartWithWays chart={chart} tier={member.is_vip} />;
  switch (opened.state) {
    case 'loading':
      return <LoadingChart chart={chart} />;
    case 'open':
      return <OpenChart chart={chart} {...opened} />;
    case 'refused':
      // The page was loaded before the membership ended.
      if (opened.code === CODE.notPermitted) return <ChartWithWays chart={chart} tier={0} />;
      return <p className={styles['message']}>{opened.message}</p>;
    case 'failed':
      return (
        <div className={styles['message']} role="alert">
          <p>图表没有打开，请检查网络后重试</p>
          <Button onClick={() => setAttempt((now) => now + 1)}>重试</Button>
        </div>
      );
  }
}

async function askChart(id: number, fid: number, hasPicture: boolean): Promise<Opened> {
  try {
    const [numbers, original] = await Promise.all([
      call(getChartNumbers, { id, fid }),
      hasPicture ? call(openOriginalChart, { id, fid }) : null,
    ]);
    if (numbers.code !== CODE.ok || !numbers.data)
      return { state: 'refused', code: numbers.code, message: numbers.message };
    return { state: 'open', numbers: numbers.data, original: original?.code === CODE.ok ? original.data : null };
  } catch {
    return { state: 'failed' };
  }
}

/** The chart of an advanced member. */
export function OpenChart(props: { chart: ChartItem; numbers: ChartNumbers; original: Original }) {
  const { chart, numbers, original } = props;
  const hasNumbers = numbers.columns.length > 0;
  return (
    <div className={styles['panel']}>
      <Picture chart={chart} source={numbers.source}>
        {original && (
          <LinkButton to={original.url} reloadDocument download={original.file_name} size="small" look="plain">
            <DownloadIcon size={16} />
            保存原图
          </LinkButton>
        )}
      </Picture>
      {hasNumbers ? (
        <>
          <div className={styles['tools']}>
            <p className={styles['count']}>{countText(numbers)}</p>
            <div className={styles['files']}>
              <LinkButton to={numbers.csv_url} reloadDocument download>
                下载 CSV
              </LinkButton>
              {numbers.xlsx_url !== '' && (
                <LinkButton to={numbers.xlsx_url} reloadDocument download look="primary">
                  下载 XLSX
                </LinkButton>
              )}
            </div>
          </div>
          <NumbersTable numbers={numbers} />
        </>
      ) : (
        <p className={styles['note']}>这张图表在方案里只是一张图片，没有存下数字。</p>
      )}
    </div>
  );
}

/** Says how many numbers there are, their unit, and that the table shows a part of them where it does. */
export function countText(numbers: ChartNumbers): string {
  const { row_count: rows, column_count: columns } = numbers;
  const shownRows = Math.max(numbers.labels.length, ...numbers.columns.map(({ values }) => values.length));
  const parts = [
    ...(shownRows < rows ? [`前 ${shownRows} 行`] : []),
    ...(numbers.columns.length < columns ? [`前 ${numbers.columns.length} 列`] : []),
  ];
  return [
    `${formatNumber(rows)} 行 × ${columns} 列`,
    ...(numbers.unit ? [`单位：${numbers.unit}`] : []),
    ...(parts.length > 0 ? [`下表为${parts.join('、')}，下载的文件含全部`] : []),
  ].join(' · ');
}

/**
 * The picture with its source below; a silhouette of the chart's kind where there is a picture, or numbers, that this
 * reader does not see.
 */
function Picture(props: { chart: ChartItem; source?: string; children?: ReactNode }) {
  const { chart, source } = props;
  const hasPicture = chart.online_url !== '';
  return (
    <figure className={styles['figure']}>
      {hasPicture && (
        <div className={styles['picture']}>
          <img src={chart.online_url} alt={chart.name} width={chart.width} height={chart.height} />
        </div>
      )}
      {!hasPicture && source === undefined && (
        <div className={styles['silhouette']}>
          <ChartSilhouette typeId={chart.type.id} />
        </div>
      )}
      {source !== undefined && (
        <figcaption className={styles['source']}>
          <span>{source}</span>
          {props.children}
        </figcaption>
      )}
    </figure>
  );
}

/** A chart of the search, whose pictures and numbers are for members: the login comes first, and opens the chart again. */
function ChartForVisitor({ chart }: { chart: ChartItem }) {
  const { openLogin } = useSession();
  return (
    <div className={styles['panel']}>
      <Picture chart={chart} />
      <div className={styles['locked']}>
        <p className={styles['note']}>登录后可查看预览页内的图表，高级会员可查看全部图表的原图和数字</p>
        <Button look="primary" size="large" onClick={() => openLogin('登录后查看图表', chartKey(chart.id))}>
          登录后查看
        </Button>
      </div>
    </div>
  );
}

function LoadingChart({ chart }: { chart: ChartItem }) {
  return (
    <div className={styles['panel']} aria-busy="true">
      <Picture chart={chart} />
      <p role="status" className={styles['note']}>
        正在打开图表…
      </p>
      <Bars />
    </div>
  );
}

/**
 * A chart that this member may not open, with the ways to the right that the server names. `tier` is the membership at the
 * time the page was loaded. After a payment the chart opens by itself.
 */
function ChartWithWays({ chart, tier }: { chart: ChartItem; tier: Tier }) {
  const { id, fid } = chart;
  const ways = useWaysOut(useCallback(() => call(getChartNumbers, { id, fid }), [id, fid]));
  const { open } = usePurchase();
  const [plan = null] = ways ? waysText('chart', ways) : [];
  return (
    <LockedChart
      chart={chart}
      tier={ways?.is_vip ?? tier}
      plan={plan}
      onBuy={() => open({ kind: 'vip', ...plan?.buy }, { key: chartKey(chart.id) })}
    />
  );
}

/** Says what is missing and the way to it, with its price (§8): the numbers are not on the page. `plan` is null until it is known. */
export function LockedChart(props: {
  chart: ChartItem;
  tier: Tier;
  plan: Way | null;
  /** Opens the pay dialog with the plan. */
  onBuy: () => void;
}) {
  const { chart, tier, plan } = props;
  const offers = [
    ...(chart.has_numbers === 1 ? ['每个数字的完整表格，可下载 XLSX 和 CSV'] : []),
    ...(chart.has_picture === 1 ? ['清晰原图，图下附来源'] : []),
  ];
  return (
    <div className={styles['panel']}>
      <Picture chart={chart} />
      {chart.has_numbers === 1 && <Bars />}
      {offers.length > 0 ? (
        <div className={styles['locked']}>
          <p className={styles['need']}>高级会员可查看{tier === 1 && '，您现在是标准会员'}</p>
          <ul className={styles['offers']}>
            {offers.map((offer) => (
              <li key={offer}>
                <CheckIcon size={18} />
                {offer}
              </li>
            ))}
          </ul>
          <Button look="primary" size="large" onClick={props.onBuy}>
            {plan?.main ?? (tier === 1 ? '升级高级会员' : '开通高级会员')}
            {plan && ` ${plan.side}`}
          </Button>
        </div>
      ) : (
        <p className={styles['note']}>这张图表没有存下数字和图片。</p>
      )}
    </div>
  );
}

/** Stands where a table would be. The same for every chart: it tells nothing of the numbers. */
const Bars = () => (
  <div className={styles['bars']} aria-hidden="true">
    {Array.from({ length: 15 }, (_, index) => (
      <i key={index} />
    ))}
  </div>
);
