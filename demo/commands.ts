import type { Command } from 'commander';
import type { Ctx, Open } from '../src/context.ts';
import { EXIT, OperatorError, wholeNumber } from '../src/platform/command-line.ts';
import { createProgress } from '../src/platform/progress.ts';
import { seedDemoCollections } from './collections.ts';
import { fillDemo } from './fill.ts';
import { seedDemoGroups } from './groups.ts';
import { loadDemoPack } from './load-pack.ts';
import { describeDemoLogins, seedDemoUsers } from './users.ts';

/** `ceku demo`: loads the demo library and, for load tests, any number of documents more. */
export function demoCommands(program: Command, open: Open): void {
  program
    .command('demo')
    .description('load the demo library; with --documents add documents that share its files, up to this total')
    .option('--documents <n>', 'total number of documents', wholeNumber(1, 2_000_000))
    .option('--yes', 'also on a site that is public or keeps no demo library')
    .action((options: { documents?: number; yes?: boolean }) =>
      open(
        async (ctx) => {
          if (!options.yes) refuseRealLibrary(ctx.config);
          const loading = createProgress('demo library');
          const loaded = await loadDemoPack(ctx, loading.update);
          loading.end();
          // Demo collections, groups and logins are made only where the site itself would make them.
          if (ctx.config.isDemo) {
            await seedDemoCollections(ctx);
            await seedDemoGroups(ctx);
            await seedDemoUsers(ctx);
          }
          console.log(`Demo library: ${loaded.documents} documents added.`);
          for (const line of await describeDemoLogins(ctx)) console.log(line);
          if (!options.documents) return;
          const startedAt = Date.now();
          const filling = createProgress('documents');
          const { added, total } = await fillDemo(ctx, options.documents, filling.update);
          filling.end();
          const seconds = Math.max((Date.now() - startedAt) / 1000, 0.001);
          console.log(
            `${added} documents added in ${seconds.toFixed(1)} s (${Math.round(added / seconds)} per second); ${total} in total.`,
          );
        },
        { createsDatabase: true },
      ),
    );
}

/** Invented documents among real ones are shown to visitors, and nothing removes all of them again. */
function refuseRealLibrary({ publicBecause, isDemo }: Ctx['config']): void {
  if (publicBecause === null && isDemo) return;
  const why = publicBecause ?? 'DEMO is off, or DATABASE_URL is set';
  throw new OperatorError(
    `This site shows its library to visitors or has one of its own (${why}): invented documents would be published in it. Add --yes to load them all the same.`,
    EXIT.usage,
  );
}
