import type { ChartType } from './chart-types.ts';

/** A value of a series; null for a gap. */
export type ChartValue = number | null;

/** A unit as the author's number format has it. */
export type ChartUnit = {
  /** %, ¥, 万 …; "" when the format has none. With "%" the values are fractions: 0.5 is shown as 50 %. */
  unit: string;
  /** True when the number format appends "%" as text and does not multiply: the value 50 is shown as 50 %. */
  isLiteralUnit?: true;
};

/** The unit is that of the values. */
export type ChartSeries = ChartUnit & {
  name: string;
  /** The chart type of this series; in a combo the series have different types. */
  type: ChartType;
  values: ChartValue[];
  /** For scatter and bubble charts: the value on the horizontal axis. */
  xs?: ChartValue[];
  xUnit?: ChartUnit;
  /** For bubble charts: the size of each bubble. */
  sizes?: ChartValue[];
  sizeUnit?: ChartUnit;
};

/** The data of a chart, as the author's program stored it in the file. A picture has no series. */
export type ChartData = {
  /**
   * Labels of the axis or of the slices; [] for scatter and bubble charts. Levels of a hierarchy are joined by " / ".
   */
  categories: string[];
  series: ChartSeries[];
  /** Titles of the axes, "" when there are none. */
  categoryAxis: string;
  valueAxis: string;
};

/** Returns the names of series, categories and axes. */
export const textsOfChart = ({ series, categories, categoryAxis, valueAxis }: ChartData): string[] => [
  ...series.map(({ name }) => name),
  categoryAxis,
  valueAxis,
  ...categories,
];

/** The position of a chart on its page, in fractions of the page's width and height. */
export type ChartFrame = { x: number; y: number; width: number; height: number };

/** A chart extracted from a document, ready to be saved. */
export type FoundChart = {
  /** Number of the visible page, from 1. */
  page: number;
  type: ChartType;
  /** The author's title, or the name of the only series; "" when there is neither. */
  title: string;
  data: ChartData;
  /** Null when the file does not give a position. */
  frame: ChartFrame | null;
  /** Size in pixels of the display image; null when no picture could be cut. */
  image: { width: number; height: number } | null;
};
