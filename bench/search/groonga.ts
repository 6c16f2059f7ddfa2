import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { indexLexemes } from '../../src/search/words.ts';
import { FILE_TYPES } from '../../src/search/engine/format/document.ts';
import { TOP, type Answer, type Engine, type Place } from './engine.ts';
import type { Question } from './questions.ts';

const run = promisify(execFile);
const folderOf = (place: Place) => join(place.folder, 'groonga');
const fileOf = (place: Place) => join(folderOf(place), 'db');
const BATCH = 5_000;

const SCHEMA = [
  'table_create Documents TABLE_HASH_KEY UInt32',
  'column_create Documents name COLUMN_SCALAR Text',
  'column_create Documents keyword COLUMN_SCALAR Text',
  'column_create Documents labels COLUMN_SCALAR Text',
  'column_create Documents type COLUMN_SCALAR UInt8',
  'column_create Documents themes COLUMN_VECTOR UInt8',
  'column_create Documents created COLUMN_SCALAR Int64',
  'table_create Terms TABLE_PAT_KEY ShortText --default_tokenizer TokenDelimit',
  'column_create Terms names COLUMN_INDEX|WITH_SECTION Documents name',
  'column_create Terms keywords COLUMN_INDEX|WITH_SECTION Documents keyword',
  'column_create Terms labels COLUMN_INDEX|WITH_SECTION Documents labels',
];

/** A groonga process on a pipe: one command a line, one JSON line in reply to each. */
function openGroonga(path: string, isNew: boolean) {
  const child = spawn('groonga', isNew ? ['-n', path] : [path], { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting: ((line: string) => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(line));
  return {
    call(command: string): Promise<string> {
      child.stdin.write(`${command}\n`);
      return new Promise((answer) => waiting.push(answer));
    },
    async close(): Promise<void> {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

/**
 * Groonga with this project's tokens: one index per field, the same weights, groonga's own score. Its memory is that of
 * its process.
 */
export const groonga: Engine = {
  name: 'groonga',
  missing: () =>
    run('groonga', ['--version']).then(
      () => null,
      () => 'not installed',
    ),
  async build(place, documents) {
    mkdirSync(folderOf(place), { recursive: true });
    const database = openGroonga(fileOf(place), true);
    for (const command of SCHEMA) await database.call(command);
    let rows: string[] = [];
    const flush = async () => {
      // All on one line: groonga reads what follows `load` until the array ends.
      await database.call(`load --table Documents\n[${rows.join(',')}]`);
      rows = [];
    };
    const lexemes = (text: string) => [...indexLexemes(text)].join(' ');
    for (const document of documents) {
      const row = {
        _key: document.id,
        name: lexemes(document.name),
        keyword: lexemes(document.keyword),
        labels: lexemes(`${document.organization}\n${document.industry}`),
        type: FILE_TYPES.indexOf(document.fileType),
        themes: document.themeIds,
        created: document.createdAt,
      };
      if (rows.push(JSON.stringify(row)) === BATCH) await flush();
    }
    await flush();
    await database.close();
    const sizes = readdirSync(folderOf(place)).map((name) => statSync(join(folderOf(place), name)).blocks * 512);
    return { disk: sizes.reduce((sum, size) => sum + size, 0) };
  },
  open(place) {
    const database = openGroonga(fileOf(place), false);
    return Promise.resolve({
      ask: async (question: Question) => answerOf(await database.call(commandOf(question))),
      close: database.close,
    });
  },
  isInMemory: false,
  every: 1,
  largest: { names: Infinity, whole: 0 },
  processes: 2,
};

function commandOf({ words, filter }: Question): string {
  const query = words.map(({ forms }) => {
    const each = forms.map(({ lexemes }) =>
      lexemes.map(({ text, isPrefix }) => (isPrefix ? `${text}*` : `"${text}"`)).join(' '),
    );
    return each.length > 1 ? `(${each.map((form) => `(${form})`).join(' OR ')})` : (each[0] ?? '');
  });
  const filters: string[] = [];
  if (filter.fileTypes)
    filters.push(`(${filter.fileTypes.map((type) => `type == ${FILE_TYPES.indexOf(type)}`).join(' || ')})`);
  if (filter.themeId) filters.push(`themes @ ${filter.themeId}`);
  if (filter.since) filters.push(`created >= ${filter.since}`);
  const asked = [
    'select Documents --match_columns "name * 12 || keyword * 4 || labels"',
    `--query ${JSON.stringify(query.join(' '))}`,
    ...(filters.length > 0 ? [`--filter ${JSON.stringify(filters.join(' && '))}`] : []),
    `--output_columns _key --sort_keys -_score,-_key --limit ${TOP}`,
    // Disables groonga's query cache, which would answer repeated questions.
    '--cache no',
  ];
  return asked.join(' ');
}

function answerOf(line: string): Answer {
  // Safe: the documented shape of `select`: [header, [[[hits], [columns], ...rows]]]; another one fails below.
  const [, [found]] = JSON.parse(line) as [unknown, [[[number], unknown, ...[number][]]]];
  const [[total], , ...rows] = found;
  return { ids: rows.map(([id]) => id), total };
}
