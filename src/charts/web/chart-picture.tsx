import { ChartSilhouette } from './chart-silhouette.tsx';

/** The picture of a chart on a card; an outline of its type for readers who may not see it, who get no address. */
export function ChartPicture(props: {
  chart: { online_url: string; width: number; height: number; type: { id: number } };
  isPriority?: boolean;
}) {
  const { online_url: address, width, height, type } = props.chart;
  if (address === '') return <ChartSilhouette typeId={type.id} />;
  const loading = props.isPriority === true ? 'eager' : 'lazy';
  return <img src={address} alt="" width={width} height={height} loading={loading} decoding="async" />;
}
