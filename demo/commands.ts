import type { Command } from 'commander';
import type { Open } from '../src/context.ts';
import { wholeNumber } from '../src/platform/command-line.ts';
import { createProgress } from '../src/platform/progress.ts';
import { fillDemo } from './fill.ts';
import { loadDemoPack } from './load-pack.ts';
import { seedDemoUsers } from './users.ts';

/** `ceku demo`: the demo library, and any number of documents for load tests on top of it. */
export function demoCommands(program: Command, open: Open): void {
  program
    .command('demo')
    .description(
      'load the demo library; with --documents fill up to that many realistic documents that share its files',
    )
    .option('--documents <n>', 'documents in all', wholeNumber(1, 2_000_000))
    .action((options: { documents?: number }) =>
      open(async (ctx) => {
        const loading = createProgress('demo library');
        const loaded = await loadDemoPack(ctx, loading.update);
        loading.end();
        // Demo logins are made only where the site itself would make them.
        if (ctx.config.isDemo) await seedDemoUsers(ctx);
        console.log(`Demo library: ${loaded.documents} documents added.`);
        if (!options.documents) return;
        const startedAt = Date.now();
        const filling = createProgress('documents');
        const { added, total } = await fillDemo(ctx, options.documents, filling.update);
        filling.end();
        const seconds = Math.max((Date.now() - startedAt) / 1000, 0.001);
        console.log(
          `${added} documents added in ${seconds.toFixed(1)} s (${Math.round(added / seconds)} a second); ${total} in all.`,
        );
      }),
    );
}
