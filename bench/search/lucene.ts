import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { FILE_TYPES, type IndexedDocument } from '../../src/search/engine/format/document.ts';
import { toIndexed } from '../../src/search/engine/build/index-document.ts';
import type { Asked, Engine, Place } from './engine.ts';
import type { Question } from './questions.ts';
import { readTokenized } from './tokenized-corpus.ts';

const run = promisify(execFile);
const JARS = ['lucene-core-4.10.4.jar', 'lucene-queries-4.10.4.jar'].map((name) => `/usr/share/java/${name}`);
const SOURCES = fileURLToPath(new URL('./lucene/', import.meta.url));
const classesOf = (place: Place) => join(place.folder, 'lucene-classes');
const indexOf = (place: Place) => join(place.folder, 'lucene');
const questionsOf = (place: Place) => join(place.folder, 'lucene-questions.tsv');
/** Bytes of documents that are handed over at once. */
const PART = 1 << 20;

const java = (place: Place, main: string, ...rest: string[]) =>
  spawn('java', ['-cp', [classesOf(place), ...JARS].join(':'), main, ...rest], { stdio: ['pipe', 'pipe', 'inherit'] });

/** Lucene 4.10, the newest in Debian, with our lexemes; the programs are in lucene/. Times are measured inside its process. */
export const lucene: Engine = {
  name: 'Lucene 4.10',
  async missing() {
    if (!JARS.every((path) => existsSync(path))) return 'not installed: apt-get install liblucene4.10-java';
    return run('javac', ['-version']).then(
      () => null,
      () => 'no JDK: apt-get install openjdk-17-jdk-headless',
    );
  },
  async build(place) {
    mkdirSync(classesOf(place), { recursive: true });
    const sources = readdirSync(SOURCES).map((name) => join(SOURCES, name));
    await run('javac', ['-encoding', 'utf8', '-cp', JARS.join(':'), '-d', classesOf(place), ...sources]);
    const child = java(place, 'BuildIndex', indexOf(place));
    const ended = once(child, 'exit');
    let part = '';
    for (const document of readTokenized(place.tokenized)) {
      part += `${lineOf(document)}\n`;
      if (part.length < PART) continue;
      if (!child.stdin.write(part)) await once(child.stdin, 'drain');
      part = '';
    }
    child.stdin.end(part);
    const [code] = await ended;
    if (code !== 0) throw new Error('Lucene built no index');
    const sizes = readdirSync(indexOf(place)).map((name) => statSync(join(indexOf(place), name)).size);
    return { disk: sizes.reduce((sum, size) => sum + size, 0) };
  },
  async open(place, questions) {
    writeFileSync(questionsOf(place), questions.map((question, number) => `${textOf(question, number)}\n`).join(''));
    const child = java(place, 'AnswerQuestions', indexOf(place), questionsOf(place), place.isWhole ? 'whole' : 'names');
    const waiting: ((line: string) => void)[] = [];
    const next = () => new Promise<string>((answer) => waiting.push(answer));
    createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(line));
    const ready = next();
    const call = (command: string): Promise<string> => {
      child.stdin.write(`${command}\n`);
      return next();
    };
    const openedMs = Number((await ready).split(' ')[1]);
    const ask = async (numbers: number[]): Promise<Asked> =>
      (await call(`ask ${numbers.join(',')}`))
        .split(';')
        .filter(Boolean)
        .map((each) => each.split(' ').map(Number))
        .map(([number = 0, ns = 0, total = 0, first = 0]) => ({ number, ms: ns / 1e6, total, first: first || null }));
    return {
      async ask(question) {
        const [answer] = await ask([questions.indexOf(question)]);
        return { ids: answer?.first ? [answer.first] : [], total: answer?.total ?? 0 };
      },
      async change(document, mark) {
        return Number(await call(`change ${textOf(mark, 0)}!${lineOf(toIndexed(document))}`)) / 1e6;
      },
      remote: {
        openedMs,
        async memory() {
          await call('memory');
          return residentOf(child.pid ?? 0);
        },
        warmUp: async (count) => void (await call(`warm ${count}`)),
        ask,
        async storm(numbers, clients, forMs) {
          // More threads than processors would only take turns.
          const threads = Math.min(clients, availableParallelism());
          const [answered = 0, ms = 0] = (await call(`storm ${numbers.join(',')}/${threads}/${forMs}`))
            .split(' ')
            .map(Number);
          return { answered, ms };
        },
      },
      async close() {
        child.stdin.end();
        if (child.exitCode === null) await once(child, 'exit');
      },
    };
  },
  isInMemory: false,
  every: 1,
  largest: { names: Infinity, whole: Infinity },
  processes: 1,
};

/** The resident memory of a process, with the parts of the index that are mapped into it. */
function residentOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1_024;
}

/** A document as lucene/Documents.java reads it. */
function lineOf(document: IndexedDocument): string {
  const { id, fileType, themeIds, createdSeconds, name, keyword, labels, inside } = document;
  return [id, fileType, themeIds.join(','), createdSeconds * 1_000, name, keyword, labels, ...inside].join('\t');
}

/** A question as lucene/Answers.java reads it. */
function textOf({ words, filter }: Question, number: number): string {
  const types = (filter.fileTypes ?? []).map((type) => FILE_TYPES.indexOf(type));
  const forms = words.map((word) =>
    word.forms
      .map(({ lexemes }) => lexemes.map(({ text, isPrefix }) => text + (isPrefix ? '*' : '')).join(' '))
      .join(','),
  );
  return [number, types.join(','), filter.themeId ?? '', filter.since ?? '', forms.join(';')].join('\t');
}
