import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError, Option } from 'commander';
import { printFloods } from './http/run-flood.ts';
import { printHttp } from './http/run-http.ts';
import { printPages } from './http/run-pages.ts';
import { printSpeed } from './http/run-speed.ts';
import { printIngest, WAYS } from './ingest/run-ingest.ts';
import { printLists } from './lists/run-lists.ts';
import { printRights } from './rights/run-rights.ts';
import { printReader } from './reader/run-reader.ts';
import { printSearch } from './search/run-search.ts';

const positive = (text: string) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('It must be a whole number above 0.');
  return value;
};

const program = new Command('bench').description('Measurements that are run by hand.');
program
  .command('search')
  .description('our search engine beside those that could be installed, over one corpus and one set of queries')
  .option('--documents <count>', 'size of the corpus', positive, 100_000)
  .option('--decks', 'whole decks: with the text of their pages, and sentences among the questions')
  .option('--rounds <count>', 'how often each question is asked', positive, 3)
  .option('--engines <names>', 'only these, separated by commas', (text: string) => text.split(','))
  .option('--http', 'instead: the search of a whole site over HTTP, beside a constant (needs npm run build)')
  .action((options: { documents: number; decks?: boolean; rounds: number; engines?: string[]; http?: boolean }) =>
    options.http ? printHttp(options) : printSearch(options),
  );
program
  .command('relevance')
  .description('how well search answers a planner: judged queries over the demo library')
  .option('--worst <count>', 'list the queries that fare worst', positive)
  .option('--folder <decks>', 'the automatic queries alone, over the decks of a folder (needs LibreOffice)')
  .option('--compare', 'instead: beside substring AND and MiniSearch')
  .option(
    '--charts',
    'instead: the search of charts; with --folder also each chart of its decks by title and by series',
  )
  .option('--judged <file>', 'with --compare or --charts: judged queries of this file')
  .action((options: { worst?: number; folder?: string; compare?: boolean; charts?: boolean; judged?: string }) => {
    const name = options.charts ? 'compare-charts' : options.compare ? 'compare' : 'measure';
    const measure = fileURLToPath(new URL(`../tests/relevance/${name}.ts`, import.meta.url));
    const worst = options.worst ? ['--worst', String(options.worst)] : [];
    const folder = options.folder ? ['--folder', options.folder] : [];
    const judged = options.judged ? ['--judged', options.judged] : [];
    const given = { measure: [...worst, ...folder], compare: judged, 'compare-charts': [...judged, ...folder] }[name];
    // In a process of its own, for it can be run by itself too.
    process.exitCode = spawnSync(process.execPath, [measure, ...given], { stdio: 'inherit' }).status ?? 1;
  });
program
  .command('pages')
  .description('requests a second of the pages: kept, unkept, and for members')
  .option('--url <address>', 'a site that runs already, for example of another checkout')
  .option('--member <name:password>', 'an account of that site')
  .option('--seconds <count>', 'how long each path is asked', positive, 5)
  .action(printPages);
program
  .command('speed')
  .description(
    'what pages load on a slow phone, and how soon they show: bytes by type, largest paint, shifts (needs npm run build)',
  )
  .option('--url <address>', 'a site that runs already')
  .option('--rounds <count>', 'how often each page is loaded; the median is printed', positive, 3)
  .action(printSpeed);
program
  .command('flood')
  .description("a member's call while one address floods the public paths, one after the other (needs npm run build)")
  .option('--seconds <count>', 'how long each path is flooded', positive, 10)
  .option('--only <part>', 'only paths that contain this')
  .option('--same-address', 'the member asks from the address that floods')
  .action(printFloods);
program
  .command('ingest')
  .description('documents a minute of `ceku ingest` beside soffice + pdftoppm over the same files')
  .option('--documents <count>', 'maximum number of files', positive, 24)
  .option('--workers <count>', 'children at work at once', positive, 2)
  .addOption(new Option('--ways <ways...>', 'only these, where all take too long for one sitting').choices(WAYS))
  .option('--files <paths...>', 'files and folders instead of the demo decks')
  .action(printIngest);
program
  .command('rights')
  .description('walks a site as every kind of reader and names what is shown without the right (needs npm run build)')
  .option('--documents <count>', 'size of the library', positive, 200)
  .action(printRights);
program
  .command('reader')
  .description(
    'whole decks: pages drawn on demand while a batch is ingested, and a long PDF in a browser (needs npm run build)',
  )
  .option('--files <paths...>', 'decks to be read, files and folders; decks of the demo library make up twenty')
  .option('--batch <count>', 'how many decks are ingested meanwhile', positive, 50)
  .option('--pages <count>', 'pages of the long PDF', positive, 300)
  .addOption(new Option('--only <part>', 'one part alone').choices(['drawing', 'tab']))
  .action(printReader);
program
  .command('lists')
  .description("first and last page of a member's lists with thousands of rows, with the plans of their statements")
  .option('--rows <count>', 'rows of the member in each list', positive, 10_000)
  .option('--plans', 'print the plans of the statements of each last page')
  .action(printLists);
await program.parseAsync();
