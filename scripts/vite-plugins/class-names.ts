import { globSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const SOURCES = fileURLToPath(new URL('../../src', import.meta.url));
const STYLES_IMPORT = /import (\w+) from ('[^']+\.module\.css')/g;

/**
 * Makes the names of CSS modules short, and writes them into the scripts where they are used. A script that imports the
 * default export of a stylesheet carries a table of all its names; imported as a namespace, each name becomes a string.
 */
export function classNames(): Plugin[] {
  const { nameOf, named } = shortNames();
  return [
    {
      name: 'ceku-class-names',
      apply: 'build',
      // Before the compiler of JSX rewrites the import.
      enforce: 'pre',
      config: () => ({ css: { modules: { generateScopedName: nameOf } } }),
      transform: {
        filter: { id: /\.tsx?$/, code: '.module.css' },
        handler: (code) => ({ code: importingNamespaces(code), map: null }),
      },
    },
    {
      name: 'ceku-kept-stylesheets',
      apply: 'build',
      // After Vite has made a script of the stylesheet.
      enforce: 'post',
      applyToEnvironment: (environment) => environment.name === 'client',
      transform: {
        filter: { id: /\.module\.css$/ },
        // The bundler drops a module of which only constants are used, and Vite the stylesheet with it. This statement keeps
        // the module; the minifier removes the statement.
        handler: (code) => ({ code: `${code}\ndebugger;`, map: null, moduleSideEffects: true }),
      },
      generateBundle: {
        order: 'post',
        handler(_, bundle) {
          const files = Object.values(bundle).filter(({ fileName }) => fileName.endsWith('.css'));
          const styles = files.map((file) => (file.type === 'asset' ? file.source.toString() : '')).join('\n');
          const lost = named().filter(({ names }) => !names.some((name) => styles.includes(name)));
          if (lost.length > 0) throw new Error(`The build lost ${lost.map(({ file }) => file).join(', ')}.`);
        },
      },
    },
  ];
}

/** Returns a script that imports the names of its stylesheets one by one instead of the tables of them. */
export function importingNamespaces(code: string): string {
  return code.replaceAll(STYLES_IMPORT, 'import * as $1 from $2');
}

/**
 * Numbers the files in alphabetical order and the names of a file in the order of the file, so that the scripts of the
 * server and those of the browser, which are built one after the other, agree.
 */
export function shortNames(): {
  nameOf: (name: string, file: string) => string;
  /** Returns the stylesheets that were asked about, with their short names. */
  named: () => { file: string; names: string[] }[];
} {
  const files = new Map(
    globSync('**/*.module.css', { cwd: SOURCES })
      .toSorted()
      .map((file, index) => [path.join(SOURCES, file), index]),
  );
  const names = new Map<string, Map<string, string>>();
  return {
    nameOf(name, id) {
      const file = id.replace(/\?.*$/, '');
      const index = files.get(file);
      if (index === undefined) throw new Error(`${file} is not a stylesheet of src/`);
      const known = names.get(file) ?? new Map<string, string>();
      names.set(file, known);
      const short = known.get(name) ?? `${letters(index)}${known.size.toString(36)}`;
      known.set(name, short);
      return short;
    },
    named: () => [...names].map(([file, known]) => ({ file, names: [...known.values()] })),
  };
}

/** Two letters, the first a capital from B on: blockers of advertisements hide what is called "Ad". */
function letters(index: number): string {
  return String.fromCharCode(66 + Math.floor(index / 26)) + String.fromCharCode(97 + (index % 26));
}
