import { statSync } from 'node:fs';
import { join } from 'node:path';
import { FILE_TYPES } from '../../src/search/engine/format/document.ts';
import { toIndexed } from '../../src/search/engine/build/index-document.ts';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { MAX_DECKS, TOP, type Engine, type Place } from './engine.ts';
import type { Question } from './questions.ts';

const fileOf = (place: Place) => join(place.folder, 'sqlite');

/** FTS5 by the SQLite of Node, over our tokens. Themes as bits, so that no filter needs a table of its own. */
export const sqlite: Engine = {
  name: 'SQLite FTS5',
  missing: async () => null,
  async build(place, documents) {
    const database = new DatabaseSync(fileOf(place));
    database.exec(`pragma journal_mode = off; pragma synchronous = off;
      create table documents (id integer primary key, type integer, themes integer, created integer);
      create virtual table words using fts5(name, keyword, labels, inside, content = '', detail = column,
        tokenize = 'unicode61 remove_diacritics 0 tokenchars '':''');
      insert into words(words, rank) values ('rank', 'bm25(12, 4, 1, 1)'); begin`);
    const fact = database.prepare('insert into documents values (?, ?, ?, ?)');
    const text = database.prepare('insert into words(rowid, name, keyword, labels, inside) values (?, ?, ?, ?, ?)');
    for (const document of documents) {
      const themes = document.themeIds.reduce((bits, theme) => bits + 2 ** theme, 0);
      fact.run(document.id, FILE_TYPES.indexOf(document.fileType), BigInt(themes), document.createdAt);
      const { name, keyword, labels, inside } = toIndexed(document);
      text.run(document.id, name, keyword, labels, inside.join(' '));
    }
    database.exec(`commit; insert into words(words) values ('optimize'); analyze; vacuum`);
    database.close();
    return { disk: statSync(fileOf(place)).size };
  },
  async open(place) {
    const database = new DatabaseSync(fileOf(place));
    database.exec('pragma mmap_size = 2147483648; pragma cache_size = -200000; pragma query_only = on');
    const prepared = new Map<string, StatementSync>();
    /** Returns the first column of the rows, a number in each. */
    const select = (sql: string, ...values: string[]): number[] => {
      const statement = prepared.get(sql) ?? database.prepare(sql);
      prepared.set(sql, statement);
      return statement.all(...values).map((row) => Number(Object.values(row)[0]));
    };
    return {
      ask(question) {
        const { from, values } = conditionOf(question);
        const [total = 0] = select(`select count(*) from ${from}`, ...values);
        const ids = select(`select words.rowid from ${from} order by words.rank limit ${TOP}`, ...values);
        if (!place.isWhole || total >= TOP || question.words.length === 0) return { ids, total };
        const decks = `select rowid from words where words match ? order by rank limit ${MAX_DECKS}`;
        const found = [...new Set([...ids, ...select(decks, matchOf(question, 'OR'))])];
        return { ids: found.slice(0, TOP), total: found.length };
      },
      close: () => database.close(),
    };
  },
  isInMemory: false,
  every: 1,
  largest: { names: Infinity, whole: 100_000 },
  processes: 2,
};

/** Returns the words, all or any of them, as a query of FTS5. */
function matchOf({ words }: Pick<Question, 'words'>, combination: 'AND' | 'OR'): string {
  const ask = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const match = words.map(({ forms }) => {
    const each = forms.map(({ lexemes }) =>
      lexemes.map(({ text, isPrefix }) => ask(text) + (isPrefix ? '*' : '')).join(' AND '),
    );
    return `(${each.map((form) => `(${form})`).join(' OR ')})`;
  });
  return match.join(` ${combination} `);
}

function conditionOf({ words, filter }: Question): { from: string; values: string[] } {
  const values = [`{name keyword labels} : (${matchOf({ words }, 'AND')})`];
  const wheres = ['words match ?'];
  if (filter.fileTypes) wheres.push(`type in (${filter.fileTypes.map((type) => FILE_TYPES.indexOf(type)).join(',')})`);
  if (filter.themeId) wheres.push(`themes & (1 << ${filter.themeId}) <> 0`);
  if (filter.since) wheres.push(`created >= ${filter.since}`);
  const join = wheres.length > 1 ? ' join documents on documents.id = words.rowid' : '';
  return { from: `words${join} where ${wheres.join(' and ')}`, values };
}
