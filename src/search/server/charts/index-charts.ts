import { type Ctx, transact } from '../../../context.ts';
import { textsOfChart } from '../../../charts/chart-data.ts';
import { weightedLiteral } from '../../literals.ts';
import { indexLexemes } from '../../words.ts';
import {
  type ChartSource,
  deleteOtherEntries,
  lockChartSources,
  selectUnindexedFiles,
  upsertChartEntries,
} from './store-charts.ts';

/** Files of one transaction: some hundred charts, a part of a second. */
const FILES = 20;
/** Longer texts of a chart are lists of places or dates, of which nobody asks for the last. */
const MAX_CHARACTERS = 4_000;

/**
 * Writes the chart entries of these files, and removes those of charts that no published document shows. Safe to repeat, beside changes of
 * the documents and beside an ingest that records the charts again.
 */
export async function indexChartsOfFiles(ctx: Ctx, fileIds: readonly number[]): Promise<void> {
  for (let at = 0; at < fileIds.length; at += FILES) {
    const some = fileIds.slice(at, at + FILES);
    await transact(ctx, async ({ db }) => {
      const sources = await lockChartSources(db, some);
      await deleteOtherEntries(db, some, sources);
      await upsertChartEntries(
        db,
        sources.map((source) => ({ ...source, tokens: tokensOf(source) })),
      );
    });
  }
}

/** Files that are looked at in one statement: some milliseconds, also where a million files are complete. */
const LOOKED_AT = 200;

/** Writes the missing chart entries of all published documents. */
export async function indexMissingCharts(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  for (let afterId = 0; ;) {
    signal?.throwIfAborted();
    const batch = await selectUnindexedFiles(ctx.db, afterId, LOOKED_AT);
    const last = batch.at(-1);
    if (last === undefined) return;
    await indexChartsOfFiles(
      ctx,
      batch.filter(({ isUnindexed }) => isUnindexed).map(({ id }) => id),
    );
    afterId = last.id;
  }
}

/** Returns the tsvector literal of a chart: its name A, series and categories B, document, industry and type C, text of its page without weight. */
function tokensOf(chart: ChartSource): string {
  const of = (texts: string[]) => indexLexemes(texts.join('\n').slice(0, MAX_CHARACTERS));
  return weightedLiteral({
    A: of([chart.name, chart.title]),
    B: of(textsOfChart(chart.data)),
    C: of([
      chart.documentName,
      chart.keyword,
      chart.industry ?? '',
      chart.typeName,
      ...(OTHER_NAMES[chart.typeName] ?? []),
    ]),
    D: of([chart.pageText ?? '']),
  });
}

/** Other names of the chart types. */
const OTHER_NAMES: Record<string, string[]> = {
  柱状图: ['柱形图', '柱图'],
  条形图: ['横向柱状图'],
  折线图: ['曲线图', '趋势图', '走势图'],
  饼图: ['饼状图', '占比图'],
  环形图: ['圆环图', '甜甜圈图', '占比图'],
  雷达图: ['蛛网图'],
  散点图: ['四象限图'],
  组合图: ['柱线图'],
};
