import type { ChartType } from './chart-types.ts';

/** One point of a series; null where the author left a gap. */
export type ChartValue = number | null;

export type ChartSeries = {
  name: string;
  /** How this series is drawn: those of a combo differ. */
  type: ChartType;
  values: ChartValue[];
  /** Scatter and bubble: where each value stands on the other axis. */
  xs?: ChartValue[];
  /** Bubble: how large each is. */
  sizes?: ChartValue[];
  /** %, ¥, 万 …: what the author's number format says; "" when it says nothing. Of a "%" the values are fractions: 0.5 is shown as 50 %. */
  unit: string;
  /** The "%" is a word put after the number: 50 is shown as 50 %. */
  isLiteralUnit?: true;
};

/** What a chart is made of, as its author's program left it in the file. A picture has no series. */
export type ChartData = {
  /** Names along the axis, or of the slices; [] for scatter and bubble. A tree's are joined by " / ". */
  categories: string[];
  series: ChartSeries[];
  /** Titles of the axes, "" when there are none. */
  categoryAxis: string;
  valueAxis: string;
};

/** Where a chart stands on its page, in fractions of the page's width and height. */
export type ChartFrame = { x: number; y: number; width: number; height: number };

/** A chart taken out of a document, ready to be kept. */
export type FoundChart = {
  /** Visible page, from 1. */
  page: number;
  type: ChartType;
  /** The author's title, or the name of the only series; "" when there is neither. */
  title: string;
  data: ChartData;
  /** Null when the file does not say where it stands. */
  frame: ChartFrame | null;
  /** Pixel size of the display image; null when none could be cut. */
  image: { width: number; height: number } | null;
};
