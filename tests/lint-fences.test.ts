import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import config from '../oxlint.config.ts';

/**
 * Every fence of oxlint.config.ts with a file that breaks it: a pattern with a slip refuses nothing, and nobody would
 * notice.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));

const NO_SERVER = 'web/ and ui/ run in the browser: ask the server through call() and the contract.';
const NO_STORE = "Use the other slice's verbs: only its own verbs know its store.";
const NO_OUTSIDE = 'The app reaches the pretend outside world over HTTP only, as it would the real one.';
const NO_NOUN = 'protocol/ and platform/ know no product noun: pass in what they need.';
const NO_NOUN_IN_UI = 'ui/ knows no product noun: pass in what it shows.';
const ANOTHER_COMPANY = 'outside/ is another company: it shares no code with the app.';

/** Each slice, those it may use, and one that it may not. */
const LINE: [slice: string, allowed: string, refused: string][] = [
  ['accounts', 'no other slice', 'library'],
  ['library', 'accounts', 'membership'],
  ['prices', 'no other slice', 'membership'],
  ['membership', 'accounts, library, prices', 'reading'],
  ['payment', 'accounts, library, prices, membership', 'search'],
  ['groups', 'accounts, library, membership, ingest', 'reading'],
  ['invites', 'accounts, library, membership, reading', 'groups'],
  ['reading', 'accounts, library, membership, charts, shelf, ingest, groups', 'search'],
  ['shelf', 'accounts, library, membership, charts', 'reading'],
  ['search', 'accounts, library, membership, charts, shelf', 'reading'],
  ['charts', 'accounts, library, membership', 'reading'],
  ['collections', 'accounts, library, membership, shelf', 'charts'],
  ['legal', 'accounts, library', 'membership'],
  ['ranking', 'accounts, library, membership, shelf, reading', 'ingest'],
  ['ingest', 'library, charts', 'accounts'],
];

type Row = [file: string, imported: string, sentence: string];

const slices = LINE.flatMap(([slice, allowed, refused]): Row[] => {
  const line = `Slices form a line: ${slice} may use ${allowed}; a higher one is told by a job.`;
  return [
    [`src/${slice}/rules.ts`, `../${refused}/rules.ts`, line],
    [`src/${slice}/server/verb.ts`, `../../${refused}/contract.ts`, line],
    [`src/${slice}/server/deep/verb.ts`, `../../../${refused}/server/verb.ts`, line],
    // The folders build/ and data/ at the root are made; one of the source is read like any other.
    [`src/${slice}/server/build/verb.ts`, `../../../${refused}/server/verb.ts`, line],
    [`src/${slice}/server/sales.ts`, '../../accounts/server/store.ts', NO_STORE],
    [`src/${slice}/server/sold.ts`, '../../accounts/server/store-users.ts', NO_STORE],
    [`src/${slice}/server/files.ts`, '../../accounts/server/store/users.ts', NO_STORE],
    [`src/${slice}/server/phone.ts`, '../../outside/phone.ts', NO_OUTSIDE],
    [`src/${slice}/web/part.tsx`, `../../${refused}/rules.ts`, `${line} Of the others a page may use the contract.`],
    [`src/${slice}/web/list.tsx`, '../server/list.ts', NO_SERVER],
    [`src/${slice}/web/log.tsx`, '../../platform/log.ts', NO_SERVER],
    [`src/${slice}/web/read.tsx`, 'node:fs', NO_SERVER],
    [`src/${slice}/web/phone.tsx`, '../../outside/phone.ts', NO_OUTSIDE],
  ];
});

const onTop = ['home', 'site'].flatMap((slice): Row[] => [
  [`src/${slice}/server/sales.ts`, '../../library/server/store.ts', NO_STORE],
  [`src/${slice}/server/phone.ts`, '../../outside/phone.ts', NO_OUTSIDE],
  [`src/${slice}/web/list.tsx`, '../../library/server/list.ts', NO_SERVER],
  [`src/${slice}/web/phone.tsx`, '../../outside/phone.ts', NO_OUTSIDE],
]);

/** protocol/, platform/ and ui/, one, two and three folders deep. */
const nounless = ['', 'http/', 'http/api/'].flatMap((folder, depth): Row[] => {
  const up = '../'.repeat(depth + 1);
  return [
    ...['protocol', 'platform'].flatMap((part): Row[] => [
      [`src/${part}/${folder}noun.ts`, `${up}library/contract.ts`, NO_NOUN],
      [`src/${part}/${folder}context.ts`, `${up}context.ts`, NO_NOUN],
      [`src/${part}/${folder}phone.ts`, `${up}outside/phone.ts`, NO_OUTSIDE],
    ]),
    [`src/ui/${folder}noun.tsx`, `${up}library/contract.ts`, NO_NOUN_IN_UI],
    [`src/ui/${folder}facts.tsx`, `${up}page-context.ts`, NO_NOUN_IN_UI],
    [`src/ui/${folder}log.tsx`, `${up}platform/log.ts`, NO_SERVER],
    [`src/ui/${folder}phone.tsx`, `${up}outside/phone.ts`, NO_OUTSIDE],
  ];
});

const REFUSED_IMPORTS: Row[] = [
  ...slices,
  ...onTop,
  ...nounless,
  ['src/sales.ts', './library/server/store.ts', NO_STORE],
  ['src/phone.ts', './outside/phone.ts', NO_OUTSIDE],
  ['demo/sales.ts', '../src/library/server/store.ts', NO_STORE],
  ['demo/phone.ts', '../src/outside/phone.ts', NO_OUTSIDE],
  ['tools/factory/sales.ts', '../../src/library/server/store.ts', NO_STORE],
  ['src/outside/noun.ts', '../library/contract.ts', ANOTHER_COMPANY],
  ['src/outside/log.ts', '../platform/log.ts', ANOTHER_COMPANY],
  ['src/outside/facts.ts', '../config.ts', ANOTHER_COMPANY],
  ['src/outside/noun.test.ts', '../library/contract.ts', ANOTHER_COMPANY],
  ['src/outside/vendor/facts.ts', '../../config.ts', ANOTHER_COMPANY],
  ['src/outside/vendor/noun.ts', '../../payment/ports.ts', ANOTHER_COMPANY],
];

const REFUSED_CODE: [file: string, source: string, rule: string][] = [
  ['src/library/environment.ts', 'export const home = process.env.HOME;', 'node(no-process-env)'],
  ['src/library/default.ts', 'export default 1;', 'import(no-default-export)'],
  [
    'src/library/web/conditional-hook.ts',
    "import { useState } from 'react';\nexport const useTitle = (on: boolean) => (on ? useState('') : null);",
    'react-hooks(rules-of-hooks)',
  ],
  ['src/library/barrel.ts', "export * from './ring-one.ts';", 'oxc(no-barrel-file)'],
  [
    'src/library/ring-one.ts',
    "import { two } from './ring-two.ts';\nexport const one = (): number => two();",
    'import(no-cycle)',
  ],
  [
    'src/library/ring-two.ts',
    "import { one } from './ring-one.ts';\nexport const two = (): number => one();",
    'import(no-cycle)',
  ],
  ['src/library/any.ts', 'export const same = (value: any) => value;', 'typescript(no-explicit-any)'],
  ['src/library/sure.ts', 'export const sure = (text?: string) => text!.length;', 'typescript(no-non-null-assertion)'],
  [
    'src/library/types.ts',
    "import { Row } from './rows.ts';\nexport const count = (rows: Row[]) => rows.length;",
    'typescript(consistent-type-imports)',
  ],
  [
    'src/library/floating.ts',
    'const save = async () => 1;\nexport const start = () => { save(); };',
    'typescript(no-floating-promises)',
  ],
  [
    'src/library/misused.ts',
    'const isOld = async () => true;\nexport const age = () => (isOld() ? 1 : 2);',
    'typescript(no-misused-promises)',
  ],
  ['src/library/waiting.ts', 'export const wait = async () => { await 1; };', 'typescript(await-thenable)'],
  [
    'src/library/switch.ts',
    "export function nameOf(kind: 'a' | 'b') {\n  switch (kind) {\n    case 'a':\n      return 1;\n  }\n  return 2;\n}",
    'typescript(switch-exhaustiveness-check)',
  ],
  [
    'src/library/empty.test.ts',
    "import { it } from 'vitest';\nit('is never wrong', () => { Math.max(1, 2); });",
    'vitest(expect-expect)',
  ],
];

const importing = (from: string) => `import { value } from '${from}';\nexport const used = value;\n`;

/** Imports that the fences allow: each is the nearest neighbour of one that they forbid. */
const ALLOWED: [file: string, source: string][] = [
  ['src/library/server/own.ts', importing('./store.ts')],
  ['src/library/server/lower.ts', importing('../../accounts/server/sessions.ts')],
  ['src/library/server/platform.ts', importing('../../platform/log.ts')],
  ['src/library/web/higher.tsx', importing('../../search/contract.ts')],
  ['src/library/web/frame.tsx', importing('../../site/web/frame.tsx')],
  ['src/library/server/higher.test.ts', importing('../../search/server/store.ts')],
  ['src/home/server/every.ts', importing('../../ingest/server/verb.ts')],
  ['src/platform/http/api/own.ts', importing('../../log.ts')],
  ['src/platform/http/protocol.ts', importing('../../protocol/codes.ts')],
  ['src/platform/http/context.test.ts', importing('../../context.ts')],
  ['src/ui/own.tsx', importing('./theme.ts')],
  ['src/outside/own.ts', importing('./world.ts')],
  ['src/outside/vendor/own.ts', importing('../world.ts')],
  ['src/whole.ts', importing('./library/server/verb.ts')],
  ['src/config.ts', 'export const home = process.env.HOME;\n'],
  ['src/library/web/theme-page.tsx', 'export default function Page() {\n  return null;\n}\n'],
];

const TABLE: [file: string, source: string][] = [
  ...REFUSED_IMPORTS.map(([file, from]): [string, string] => [file, importing(from)]),
  ...REFUSED_CODE.map(([file, source]): [string, string] => [file, source]),
  ...ALLOWED,
];

type Diagnostic = { filename: string; code: string; help?: string };
let folder: string;
const found = new Map<string, Diagnostic[]>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ceku-fences-'));
  await Promise.all(['oxlint.config.ts', 'tsconfig.json'].map((name) => cp(join(ROOT, name), join(folder, name))));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const [file, source] of TABLE) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), source, { flag: 'wx' });
  }
  const oxlint = join(folder, 'node_modules/oxlint/bin/oxlint');
  // The exit code is 1: it finds what it is to find.
  const { stdout } = await promisify(execFile)(process.execPath, [oxlint, '--format', 'json', 'src', 'demo', 'tools'], {
    cwd: folder,
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: { stdout: string }) => error);
  const { diagnostics }: { diagnostics: Diagnostic[] } = JSON.parse(stdout);
  for (const each of diagnostics) {
    const file = normalize(each.filename);
    found.set(file, [...(found.get(file) ?? []), each]);
  }
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(REFUSED_IMPORTS)('%s may not import %s: %s', (file, _imported, sentence) => {
  const refused = found.get(file)?.filter(({ code }) => code === 'eslint(no-restricted-imports)');
  expect(refused?.map(({ help }) => help)).toContain(sentence);
});

test.each(REFUSED_CODE)('%s is refused: %s', (file, _source, rule) => {
  expect(found.get(file)?.map(({ code }) => code)).toContain(rule);
});

test.each(ALLOWED)('%s is allowed', (file) => expect(found.get(file)).toBeUndefined());

describe('the table', () => {
  const fences = config.overrides.flatMap(({ files, rules }) =>
    'eslint/no-restricted-imports' in rules
      ? rules['eslint/no-restricted-imports'][1].patterns.map((pattern) => ({ files, ...pattern }))
      : [],
  );

  test.each(fences)('tries $regex within $files', ({ files, regex, message }) => {
    const isTried = REFUSED_IMPORTS.some(
      ([file, imported, sentence]) =>
        sentence === message && files.some((glob) => matchesGlob(file, glob)) && new RegExp(regex).test(imported),
    );
    expect(isTried).toBe(true);
  });
});
