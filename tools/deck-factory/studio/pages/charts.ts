import type PptxGenJS from 'pptxgenjs';
import { chartColours } from '../../theme.ts';
import { accent, type Box } from '../../page.ts';
import { addSheet } from '../frames.ts';
import { items, parts, series, type Block } from '../script.ts';
import { columns, rows, type Sheet, type Studio } from '../sheet.ts';

/** Returns the style of all charts of a deck. */
function chartLook(deck: Studio, title: string): PptxGenJS.IChartOpts {
  const { theme } = deck;
  return {
    catAxisLabelColor: theme.muted,
    valAxisLabelColor: theme.muted,
    catAxisLabelFontFace: theme.body,
    valAxisLabelFontFace: theme.body,
    catAxisLabelFontSize: 12,
    valAxisLabelFontSize: 10.5,
    catAxisLineShow: false,
    valAxisLineShow: false,
    valGridLine: { color: theme.line, size: 0.5 },
    catGridLine: { style: 'none' },
    dataLabelFontFace: theme.body,
    dataLabelColor: theme.ink,
    dataLabelFontSize: 11,
    showTitle: title !== '',
    title,
    titleColor: theme.ink,
    titleFontFace: theme.body,
    titleFontSize: 14,
    legendColor: theme.muted,
    legendFontFace: theme.body,
    legendFontSize: 11.5,
    legendPos: 'b',
    chartColors: chartColours(theme),
  };
}

/**
 * Draws a frame with the chart on one side and findings on the other; without findings the chart fills it. Returns the
 * box of the chart.
 */
function frameChart(sheet: Sheet, findings: string | undefined): Box {
  const { area, page, theme, deck } = sheet;
  const list = items(findings).map((item) => parts(item, 2));
  if (list.length === 0) return area;
  if (area.w < 10 || list.length === 1 || deck.pages % 3 === 1) {
    const foot = list.length > 2 && area.w > 10 ? 1.05 : 1.25;
    columns(
      { ...area, y: area.y + area.h - foot, h: foot },
      list.map(() => 1),
      0.3,
    ).forEach((box, i) => {
      const [title = '', text = ''] = list[i] ?? [];
      page.bar({ ...box, h: 0.05 }, accent(theme, i).fill);
      page.text(
        title,
        { ...box, y: box.y + 0.12, h: 0.4 },
        { size: 17, min: 10, lines: 1, display: true, valign: 'middle' },
      );
      page.text(
        text,
        { ...box, y: box.y + 0.54, h: box.h - 0.56 },
        { size: 12.5, min: 8, color: theme.muted, leading: 1.05 },
      );
    });
    return { ...area, h: area.h - foot - 0.15 };
  }
  const [left = area, right = area] = columns(area, [7, 3.4], 0.4);
  rows(right, list.length, 0.2).forEach((cell, i) => {
    const [title = '', text = ''] = list[i] ?? [];
    const box = sheet.card(cell, i);
    const head = Math.min(0.66, box.h * 0.45);
    page.text(
      title,
      { ...box, h: head },
      { size: 22, min: 11, lines: 1, display: true, color: accent(theme, i).text, valign: 'middle' },
    );
    page.text(
      text,
      { ...box, y: box.y + head + 0.05, h: box.h - head - 0.05 },
      { size: 13.5, min: 8, color: theme.muted, leading: 1.12 },
    );
  });
  return left;
}

type Kind =
  | 'column'
  | 'bar'
  | 'stack'
  | 'line'
  | 'area'
  | 'radar'
  | 'pie'
  | 'doughnut'
  | 'combo'
  | 'scatter'
  | 'bubble';

/** Draws a native chart. Fields: categories, series, findings, unit (the title of the chart). */
export function addChart(deck: Studio, block: Block): void {
  const sheet = addSheet(deck, block.title, 'DATA');
  const [first = '', second = '', third = '', fourth = ''] = block.fields;
  // A third field without `title:text` is the unit.
  const [findings, unit] = third.includes(':') ? [third, fourth] : ['', fourth || third.replace(/^-$/, '')];
  const box = frameChart(sheet, findings);
  const kind = kindOf(block.kind);
  CHARTS[kind](sheet, box, first, second, unit);
  if (deck.isPdf) describe(sheet, box, kind);
}

const TRANSPARENT =
  'image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR42mNgAAIAAAUAAen63NgAAAAASUVORK5CYII=';

/**
 * Describes a chart of a deck that becomes a PDF, as Office describes it: a PDF keeps of its charts nothing else. LibreOffice tags pictures with
 * their description, and charts without, so the description is that of a transparent picture over the chart.
 */
function describe({ page }: Sheet, box: Box, kind: Kind): void {
  page.slide.addImage({ data: TRANSPARENT, ...box, altText: `图表${KINDS_IN_ALT[kind] ?? ''}\n\n描述已自动生成` });
}

/** The kinds that Office names when it describes a chart, in its words. */
const KINDS_IN_ALT: Partial<Record<Kind, string>> = {
  column: ', 条形图',
  bar: ', 条形图',
  stack: ', 条形图',
  line: ', 折线图',
  pie: ', 饼图',
  doughnut: ', 饼图',
  scatter: ', 散点图',
};

function kindOf(word: string): Kind {
  if (!Object.hasOwn(CHARTS, word)) throw new Error(`unknown chart ${word}`);
  return word as Kind; // checked the line above
}

function categorySeries(first: string, second: string): { name: string; labels: string[]; values: number[] }[] {
  const labels = first.split(',').map((label) => label.trim());
  return items(second).map((item) => {
    const { name, values } = series(item);
    if (values.length !== labels.length)
      throw new Error(`${labels.length} categories, ${values.length} values: ${item}`);
    return { name, labels, values };
  });
}

type Draw = (sheet: Sheet, box: Box, first: string, second: string, unit: string) => void;

const bars =
  (dir: 'bar' | 'col', grouping: 'clustered' | 'stacked'): Draw =>
  (sheet, box, first, second, unit) => {
    const { deck, page } = sheet;
    const data = categorySeries(first, second);
    const look = chartLook(deck, unit);
    const colours = look.chartColors ?? [];
    page.slide.addChart(deck.pptx.ChartType.bar, data, {
      ...look,
      ...box,
      barDir: dir,
      barGrouping: grouping,
      barGapWidthPct: grouping === 'stacked' ? 55 : 70,
      showLegend: data.length > 1,
      showValue: data.length === 1,
      dataLabelFormatCode: '#,##0.##',
      ...(grouping === 'stacked' ? {} : { dataLabelPosition: 'outEnd' as const }),
      ...(data.length === 1 && deck.number % 2 ? { chartColors: colours.slice(0, 1) } : {}),
    });
  };

const curve =
  (kind: 'line' | 'area' | 'radar'): Draw =>
  (sheet, box, first, second, unit) => {
    const { deck, page } = sheet;
    const type = deck.pptx.ChartType[kind];
    page.slide.addChart(type, categorySeries(first, second), {
      ...chartLook(deck, unit),
      ...box,
      showLegend: true,
      lineSize: 3,
      lineSmooth: deck.number % 2 === 0,
      lineDataSymbolSize: 8,
      ...(kind === 'radar' ? { radarStyle: 'filled' as const, chartColorsOpacity: 55, valAxisHidden: true } : {}),
      ...(kind === 'area' ? { chartColorsOpacity: 65 } : {}),
    });
  };

const round =
  (kind: 'pie' | 'doughnut'): Draw =>
  (sheet, box, first, _second, unit) => {
    const { deck, page, theme } = sheet;
    const slices = items(first).map((item) => series(item));
    page.slide.addChart(
      deck.pptx.ChartType[kind],
      [
        {
          name: unit || '占比',
          labels: slices.map((slice) => slice.name),
          values: slices.map((slice) => slice.values[0] ?? 0),
        },
      ],
      {
        ...chartLook(deck, unit),
        ...box,
        showLegend: true,
        legendPos: 'r',
        legendFontSize: 13,
        showPercent: true,
        dataLabelColor: 'FFFFFF',
        dataLabelFontBold: true,
        dataBorder: { pt: 1.5, color: theme.paper },
        ...(kind === 'doughnut' ? { holeSize: 58 } : {}),
      },
    );
  };

const CHARTS: Record<Kind, Draw> = {
  column: bars('col', 'clustered'),
  bar: bars('bar', 'clustered'),
  stack: bars('col', 'stacked'),
  line: curve('line'),
  area: curve('area'),
  radar: curve('radar'),
  pie: round('pie'),
  doughnut: round('doughnut'),
  /** Columns, and a line on an axis of its own. */
  combo(sheet, box, first, second, unit) {
    const { deck, page, theme } = sheet;
    const [column, line] = categorySeries(first, second);
    if (!column || !line) throw new Error('a combo needs columns and a line');
    const look = chartLook(deck, unit);
    const colours = look.chartColors ?? [];
    const { bar, line: lineType } = deck.pptx.ChartType;
    page.slide.addChart(
      [
        { type: bar, data: [column], options: { chartColors: colours.slice(0, 1), barGapWidthPct: 60 } },
        {
          type: lineType,
          data: [line],
          options: {
            chartColors: colours.slice(1, 2),
            secondaryValAxis: true,
            secondaryCatAxis: true,
            lineSize: 3,
            lineDataSymbolSize: 9,
          },
        },
      ],
      // The types require series for combined charts; the library accepts options alone, as its manual shows.
      {
        ...look,
        ...box,
        showLegend: true,
        valAxes: [
          {
            showValAxisTitle: true,
            valAxisTitle: column.name,
            valAxisTitleColor: theme.muted,
            valAxisTitleFontSize: 11,
            valAxisLabelColor: theme.muted,
          },
          {
            showValAxisTitle: true,
            valAxisTitle: line.name,
            valAxisTitleColor: theme.muted,
            valAxisTitleFontSize: 11,
            valAxisLabelColor: theme.muted,
            valGridLine: { style: 'none' },
          },
        ],
        catAxes: [{ catAxisLabelColor: theme.muted, catAxisLabelFontSize: 12 }, { catAxisHidden: true }],
      } as unknown as PptxGenJS.IChartMulti[],
    );
  },
  /** `name=x y;x y / …` */
  scatter(sheet, box, first, second, unit) {
    const { deck, page, theme } = sheet;
    const [xName = '', yName = ''] = first.split(',');
    const groups = items(second).map((item) => {
      const [name = '', list = ''] = item.split('=');
      return { name, points: list.split(';').map((pair) => pair.trim().split(' ').map(Number)) };
    });
    const xs = groups.flatMap((group) => group.points.map((point) => point[0] ?? 0));
    let before = 0;
    const data = groups.map(({ name, points }) => {
      const values: (number | null)[] = xs.map(() => null);
      points.forEach((point, i) => (values[before + i] = point[1] ?? 0));
      before += points.length;
      return { name, values };
    });
    // Safe: the types allow only numbers, but the library leaves out a point that is null.
    const all = [{ name: xName, values: xs }, ...data] as unknown as PptxGenJS.OptsChartData[];
    page.slide.addChart(deck.pptx.ChartType.scatter, all, {
      ...chartLook(deck, unit),
      ...box,
      showLegend: true,
      lineSize: 0,
      lineDataSymbolSize: 13,
      lineDataSymbol: 'circle',
      showCatAxisTitle: true,
      catAxisTitle: xName,
      catAxisTitleColor: theme.muted,
      catAxisTitleFontSize: 11.5,
      showValAxisTitle: true,
      valAxisTitle: yName,
      valAxisTitleColor: theme.muted,
      valAxisTitleFontSize: 11.5,
    });
  },
  /** A bubble chart. `first`: the names of both axes, `second`: its bubbles as `name=x y size / …`. */
  bubble(sheet, box, first, second, unit) {
    const { deck, page, theme } = sheet;
    const [xName = '', yName = ''] = first.split(',');
    const list = items(second).map((item) => {
      const [name = '', numbers = ''] = item.split('=');
      const [x = 0, y = 0, size = 1] = numbers.trim().split(' ').map(Number);
      return { name, x, y, size };
    });
    const data = [
      { name: xName, values: list.map(({ x }) => x) },
      ...list.map((each, i) => ({
        name: each.name,
        values: list.map((_, k) => (k === i ? each.y : null)),
        sizes: list.map((_, k) => (k === i ? each.size : null)),
      })),
    ];
    // Safe: the types allow only numbers, but the library leaves out a point that is null.
    page.slide.addChart(deck.pptx.ChartType.bubble, data as unknown as PptxGenJS.OptsChartData[], {
      ...chartLook(deck, unit),
      ...box,
      showLegend: true,
      legendPos: 'r',
      chartColorsOpacity: 75,
      showCatAxisTitle: true,
      catAxisTitle: xName,
      catAxisTitleColor: theme.muted,
      catAxisTitleFontSize: 11.5,
      showValAxisTitle: true,
      valAxisTitle: yName,
      valAxisTitleColor: theme.muted,
      valAxisTitleFontSize: 11.5,
    });
  },
};
