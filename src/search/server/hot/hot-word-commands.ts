import type { Command } from 'commander';
import type { Open } from '../../../context.ts';
import { commandGroup, printResult, type Json } from '../../../platform/command-line.ts';
import { setByFile } from '../../../platform/yaml-file.ts';
import { formatHotWords, listHotWords, parseHotWords, setHotWords } from './hot-words.ts';

/** Adds `ceku hotword list|export|set`. */
export function hotWordCommands(program: Command, open: Open): void {
  const group = commandGroup(program, 'hotword', 'the hot words under the search fields');
  group
    .command('list')
    .description('list the hot words')
    .option('--json', 'as JSON')
    .action((options: Json) =>
      open(async (ctx) => {
        const { words } = await listHotWords(ctx);
        printResult(options, { words }, words.length > 0 ? words.join('\n') : 'No hot words.');
      }),
    );
  group
    .command('export')
    .description('print the hot words as YAML, for "ceku hotword set"')
    .action(() => open(async (ctx) => void process.stdout.write(formatHotWords((await listHotWords(ctx)).words))));
  group
    .command('set')
    .description('show what a YAML list of hot words changes, and change it with --yes')
    .argument('<file>', 'the list of words; - reads standard input')
    .option('--yes', 'change the words')
    .option('--json', 'as JSON')
    .action((file: string, options: Json & { yes?: boolean }) =>
      open((ctx) =>
        setByFile(file, 'list of hot words', options, async (text, how) => setHotWords(ctx, parseHotWords(text), how)),
      ),
    );
}
