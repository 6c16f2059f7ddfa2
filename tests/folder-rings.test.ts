import { globSync, readFileSync } from 'node:fs';
import { dirname, normalize } from 'node:path';
import { expect, test } from 'vitest';

type Source = { file: string; text: string };

const sources: Source[] = globSync('src/**/*.{ts,tsx,css}')
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));

/** Returns every folder below `src` that has folders with sources. The slices themselves form the line that lint keeps. */
function parentsOf(all: readonly Source[]): string[] {
  const parents = all.flatMap(({ file }) => {
    const folders = file.split('/').slice(0, -1);
    return folders.slice(2).map((_, at) => folders.slice(0, at + 2).join('/'));
  });
  return [...new Set(parents)].sort();
}

/** Returns the files that a source names: imports, also of types and of parts that are loaded later, and styles that it composes. */
const importsOf = ({ file, text }: Source): string[] =>
  [...text.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    normalize(`${dirname(file)}/${path}`),
  );

/** Returns the folder directly below `parent` that holds the file; undefined for a file elsewhere, or in `parent` itself. */
function folderOf(parent: string, file: string): string | undefined {
  const [folder, ...rest] = file.startsWith(`${parent}/`) ? file.slice(parent.length + 1).split('/') : [];
  return rest.length > 0 ? folder : undefined;
}

/** Returns the imports between folders of `parent` that are part of a ring, of two folders or more, as `file → file`. */
function ringsOf(parent: string, all: readonly Source[]): string[] {
  let links = all.flatMap((source) => {
    const user = folderOf(parent, source.file);
    if (!user) return [];
    return importsOf(source).flatMap((path) => {
      const used = folderOf(parent, path);
      return used && used !== user ? { user, used, words: `${source.file} → ${path}` } : [];
    });
  });
  // A folder that uses no other, or that no other uses, is in no ring: its links go, and then perhaps those of its neighbours.
  for (let before = -1; before !== links.length;) {
    before = links.length;
    links = links.filter(({ used }) => links.some(({ user }) => user === used));
    links = links.filter(({ user }) => links.some(({ used }) => used === user));
  }
  return links.map(({ words }) => words);
}

test.each(parentsOf(sources))('the folders of %s use each other in one direction', (parent) => {
  expect(ringsOf(parent, sources)).toEqual([]);
});

test('every folder with folders is looked at: of a server, of the platform, of a slice, and deeper', () => {
  const looked = [
    'src/accounts/server',
    'src/search/server',
    'src/payment/server',
    'src/platform',
    'src/platform/http',
  ];
  expect(parentsOf(sources)).toEqual(expect.arrayContaining([...looked, 'src/ui', 'src/search', 'src/search/web']));
  expect(parentsOf([{ file: 'src/new/server/deep/one.ts', text: '' }])).toEqual(['src/new', 'src/new/server']);
});

test('a ring is found: of two folders or of three, by types, late imports and styles; a file of the parent itself closes none', () => {
  const two = [
    { file: 'src/ui/a/one.ts', text: "import type { Two } from '../b/two.ts';" },
    { file: 'src/ui/b/two.ts', text: "import '../a/one.ts';" },
    { file: 'src/ui/c/below.ts', text: '' },
    { file: 'src/ui/a/user.ts', text: "import { below } from '../c/below.ts';\nimport { top } from '../top.ts';" },
    { file: 'src/ui/top.ts', text: "import { one } from './a/one.ts';" },
  ];
  expect(ringsOf('src/ui', two)).toEqual(['src/ui/a/one.ts → src/ui/b/two.ts', 'src/ui/b/two.ts → src/ui/a/one.ts']);
  const three = [
    { file: 'src/ui/a/one.tsx', text: "const load = () => import('../b/two.tsx');" },
    { file: 'src/ui/b/two.module.css', text: ".two {\n  composes: three from '../c/three.module.css';\n}" },
    { file: 'src/ui/c/three.ts', text: "export { one } from '../a/one.tsx';" },
  ];
  expect(ringsOf('src/ui', three)).toHaveLength(3);
  expect(ringsOf('src/ui', three.slice(1))).toEqual([]);
});
