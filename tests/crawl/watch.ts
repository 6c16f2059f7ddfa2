import type { Library, LibraryDocument } from './library.ts';
import type { Got } from './readers.ts';
import {
  lastPageFor,
  lastFoundPageFor,
  lastTextPageFor,
  mayBeNamed,
  mayHaveChartFiles,
  mayHaveWhole,
  type ReaderName,
} from './rights.ts';

/** Counts what a reader with the right saw. A crawl in which it stays 0 looks for things that it cannot recognise. */
export type Seen = { laterTexts: number; laterImages: number; wholes: number; charts: number };

export type Watch = {
  look(got: Got): void;
  /** Nothing is looked at until `resume`. */
  pause(): void;
  resume(): void;
  /** Remembers the image of a page by its bytes, as a reader got it, and looks at that answer again if the image was unknown. */
  learn(got: Got, number: number, page: number): void;
  /** Tells what was wrong with an answer. */
  report(got: Pick<Got, 'reader' | 'asked' | 'status'>, what: string): void;
  /** One line for each, without repetitions. */
  violations: ReadonlySet<string>;
  seen: ReadonlyMap<ReaderName, Seen>;
  countAnswers(): number;
};

const NAME = /zn(\d+)e/g;
const PAGE = /zq(\d+)p(\d+)e/g;
const CHART = /zc(\d+)p(\d+)e/g;
const IS_SEARCH = / \/(api\/doc\/search|report)/;
const IS_TABLE_FILE = /csv|spreadsheet|officedocument|zip/;

/**
 * Looks at every answer that a reader gets, whatever it was asked for: at the marks in texts, and at the bytes of images and
 * PDFs. What the table of rights does not allow is a violation.
 */
export function createWatch(library: Library): Watch {
  const byNumber = new Map(library.documents.map((document) => [document.number, document]));
  const violations = new Set<string>();
  const seen = new Map<ReaderName, Seen>();
  const bytes = new Map(library.bytes);
  let answers = 0;
  let isPaused = false;

  const seenBy = (reader: ReaderName): Seen => {
    const known = seen.get(reader) ?? { laterTexts: 0, laterImages: 0, wholes: 0, charts: 0 };
    seen.set(reader, known);
    return known;
  };
  const report: Watch['report'] = ({ reader, asked, status }, what) => {
    violations.add(`${reader} got ${what}: ${asked} (${status})`);
  };
  const found = (text: string, pattern: RegExp): [LibraryDocument, number][] =>
    [...text.matchAll(pattern)].flatMap(([, number, page]): [LibraryDocument, number][] => {
      const document = byNumber.get(Number(number));
      return document ? [[document, Number(page ?? 0)]] : [];
    });

  function lookAtText(got: Got): void {
    const { reader } = got;
    const text = got.body.toString();
    for (const [document] of found(text, NAME))
      if (!mayBeNamed(reader, document)) report(got, `the name of a document that is ${document.standing}`);
    for (const [document, page] of found(text, PAGE)) {
      if (page > (IS_SEARCH.test(got.asked) ? lastFoundPageFor : lastTextPageFor)(reader, document))
        report(got, `text of page ${page} of a document (${document.standing})`);
      else if (page > 10) seenBy(reader).laterTexts += 1;
    }
    for (const [document, page] of found(text, CHART)) {
      const mayHave = IS_TABLE_FILE.test(got.type)
        ? mayHaveChartFiles(reader, document)
        : page <= lastPageFor(reader, document);
      if (mayHave) seenBy(reader).charts += 1;
      else report(got, `numbers of a chart on page ${page} of a document (${document.standing})`);
    }
  }

  function lookAtBytes(got: Got): void {
    const { reader } = got;
    const known = bytes.get(got.sha256);
    const document = known && byNumber.get(known.number);
    if (!document) {
      if (got.body.subarray(0, 5).toString() === '%PDF-') report(got, 'a PDF that nobody knows');
      return;
    }
    if (known.page === 0) {
      if (mayHaveWhole(reader, document)) seenBy(reader).wholes += 1;
      else report(got, `the whole file of a document (${document.standing})`);
      return;
    }
    if (known.page > lastPageFor(reader, document))
      report(got, `an image of page ${known.page} of a document (${document.standing})`);
    else if (known.page > 10) seenBy(reader).laterImages += 1;
  }

  return {
    violations,
    seen,
    report,
    countAnswers: () => answers,
    learn(got, number, page) {
      if (got.status !== 200 || bytes.has(got.sha256)) return;
      bytes.set(got.sha256, { number, page });
      // The answer was looked at before it could be recognised.
      if (!isPaused) lookAtBytes(got);
    },
    pause: () => void (isPaused = true),
    resume: () => void (isPaused = false),
    look(got) {
      if (isPaused) return;
      answers += 1;
      if (got.status >= 500) report(got, 'an error of the server');
      if (got.body.length === 0) return;
      if (/^(image|application\/(pdf|octet-stream))/.test(got.type)) lookAtBytes(got);
      else lookAtText(got);
    },
  };
}
