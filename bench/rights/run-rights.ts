import { loadavg } from 'node:os';
import { readConfig } from '../../src/config.ts';
import { openApp } from '../../src/open-app.ts';
import { createLog } from '../../src/platform/log.ts';
import { crawl, listFaults, type Crawl } from '../../tests/crawl/crawl.ts';
import { openSite } from '../../tests/journeys/site.ts';

/** How many faults are printed: one leak shows in hundreds of answers. */
const MAX_LINES = 200;

/**
 * Walks a whole site of `documents` documents as every reader and prints what each saw of pages after the tenth. Ends
 * with 1 and names every fault when somebody saw anything without the right, or a reader with the right saw nothing.
 */
export async function printRights({ documents }: { documents: number }): Promise<void> {
  const startedAt = performance.now();
  const site = await openSite({ DEMO: 'off', OUTSIDE: 'off', RATE_LIMITS: 'off' });
  try {
    const config = readConfig({ DATA_DIR: site.dataDir, LOG_LEVEL: 'warn' });
    const app = await openApp(config, createLog(config.logLevel), 'tool');
    try {
      const ingest = async (folder: string) => {
        const { code, stderr } = await site.ceku('ingest', folder);
        if (code !== 0) throw new Error(`the files were not ingested: ${stderr}`);
      };
      const crawled = { origin: site.origin, ctx: app.ctx, ingest };
      const say = (line: string) => console.log(`${seconds(startedAt)}  ${line}`);
      const found = await crawl(crawled, { count: documents }, say);
      print(found, seconds(startedAt));
    } finally {
      await app.close();
    }
  } finally {
    await site.close();
  }
}

const seconds = (startedAt: number) => `${((performance.now() - startedAt) / 1_000).toFixed(0)} s`;

function print({ documents, calls, answers, violations, seen }: Crawl, took: string): void {
  console.log(
    `\n${documents} documents, ${calls} calls, ${answers} answers in ${took} (load ${loadavg()[0]?.toFixed(1)})`,
  );
  console.table(
    Array.from(seen, ([reader, { laterTexts, laterImages, wholes, charts }]) => ({
      reader,
      'texts after page 10': laterTexts,
      'images after page 10': laterImages,
      'whole files': wholes,
      'chart numbers': charts,
      violations: violations.filter((line) => line.startsWith(`${reader} `)).length,
    })),
  );
  const faults = listFaults({ violations, seen });
  for (const line of faults.slice(0, MAX_LINES)) console.log(line);
  if (faults.length > MAX_LINES) console.log(`… and ${faults.length - MAX_LINES} more`);
  console.log(`faults: ${faults.length}, of them violations: ${violations.length}`);
  if (faults.length > 0) process.exitCode = 1;
}
