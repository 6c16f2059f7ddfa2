import type { ReactNode } from 'react';
import { CHART_TYPES, type ChartType } from '../chart-types.ts';
import styles from './chart-silhouette.module.css';

/**
 * The outline of a chart that the reader may not see yet, by its type: it hints at the numbers on the page. Decorative.
 */
export function ChartSilhouette({ typeId }: { typeId: number }) {
  const type = CHART_TYPES.find(({ id }) => id === typeId)?.code ?? 'other';
  return (
    <svg className={styles['shape']} viewBox="0 0 160 90" aria-hidden="true" focusable="false">
      {SHAPES[FAMILY[type]]}
    </svg>
  );
}

type Family = 'columns' | 'bars' | 'line' | 'area' | 'pie' | 'ring' | 'radar' | 'dots' | 'funnel' | 'blocks' | 'combo';

/** Types that look alike share a shape. */
const FAMILY: Record<ChartType, Family> = {
  column: 'columns',
  bar: 'bars',
  line: 'line',
  pie: 'pie',
  doughnut: 'ring',
  area: 'area',
  radar: 'radar',
  scatter: 'dots',
  bubble: 'dots',
  combo: 'combo',
  waterfall: 'columns',
  funnel: 'funnel',
  treemap: 'blocks',
  sunburst: 'ring',
  stock: 'line',
  surface: 'area',
  histogram: 'columns',
  box: 'columns',
  map: 'blocks',
  other: 'combo',
};

const COLUMNS = 'M18 82V52h16v30zM50 82V34h16v48zM82 82V44h16v38zM114 82V18h16v64z';
const LINE = 'M14 66 46 42 76 54 108 26 146 14';
const AXIS = <path className={styles['line']} d="M8 82h144" />;

const SHAPES: Record<Family, ReactNode> = {
  columns: (
    <>
      <path d={COLUMNS} />
      {AXIS}
    </>
  ),
  bars: <path d="M20 12h112v12H20zM20 34h84v12H20zM20 56h60v12H20zM20 78h36v8H20z" />,
  line: (
    <>
      <path className={styles['line']} d={LINE} />
      {AXIS}
    </>
  ),
  area: <path d={`${LINE}V82H14z`} />,
  pie: <path d="M80 45V7a38 38 0 1 1-36 50zM74 39 39 50a38 38 0 0 1 35-48z" />,
  ring: <path className={styles['ring']} d="M80 17a28 28 0 1 1-27 21M58 28a28 28 0 0 1 14-10" />,
  radar: (
    <>
      <path className={styles['line']} d="M80 6 118 34 104 80H56L42 34z" />
      <path d="M80 20 104 38 94 68H62L52 42z" />
    </>
  ),
  dots: (
    <>
      <circle cx="36" cy="60" r="8" />
      <circle cx="66" cy="40" r="12" />
      <circle cx="98" cy="56" r="6" />
      <circle cx="124" cy="24" r="10" />
      {AXIS}
    </>
  ),
  funnel: <path d="M24 10h112L122 30H38zM42 36h76l-14 20H56zM60 62h40l-8 20H68z" />,
  blocks: <path d="M16 10h70v44H16zM92 10h52v26H92zM92 42h52v38H92zM16 60h42v20H16zM64 60h22v20H64z" />,
  combo: (
    <>
      <path d={COLUMNS} />
      <path className={styles['line']} d={LINE} />
      {AXIS}
    </>
  ),
};
/** Fills the frame of a loaded picture with its own colour (fill-frame.ts). */
function fill(image: HTMLImageElement | null): void {
  if (image?.complete)
    import('./fill-frame.ts').then(
      ({ fillFrame }) => fillFrame(image),
      () => {},
    );
}

/** The picture of a chart on a card; an outline of its type for readers who may not see it, who get no address. */
export function ChartPicture(props: {
  chart: { online_url: string; width: number; height: number; type: { id: number } };
  isPriority?: boolean;
}) {
  const { online_url: address, width, height, type } = props.chart;
  if (address === '') return <ChartSilhouette typeId={type.id} />;
  const loading = props.isPriority === true ? 'eager' : 'lazy';
  return (
    <img
      ref={fill}
      src={address}
      alt=""
      width={width}
      height={height}
      loading={loading}
      decoding="async"
      onLoad={(event) => fill(event.currentTarget)}
    />
  );
}
