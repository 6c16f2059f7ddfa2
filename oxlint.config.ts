import { defineConfig } from 'oxlint';

/**
 * The slices in their line: each may use those it lists, and nothing else may be imported from its server side, rules
 * or contract. What a lower slice has to tell a higher one, it tells by a job.
 */
const MAY_USE: Record<string, string[]> = {
  accounts: [],
  library: ['accounts'],
  prices: [],
  membership: ['accounts', 'library', 'prices'],
  payment: ['accounts', 'library', 'prices', 'membership'],
  groups: ['accounts', 'library', 'membership', 'ingest'],
  invites: ['accounts', 'library', 'membership', 'reading'],
  charts: ['accounts', 'library', 'membership'],
  collections: ['accounts', 'library', 'membership', 'shelf'],
  legal: ['accounts', 'library'],
  shelf: ['accounts', 'library', 'membership', 'charts'],
  reading: ['accounts', 'library', 'membership', 'charts', 'shelf', 'ingest', 'groups'],
  search: ['accounts', 'library', 'membership', 'charts', 'shelf'],
  // Weighs what people did in the slices below.
  ranking: ['accounts', 'library', 'membership', 'shelf', 'reading'],
  ingest: ['library', 'charts'],
};
/** Stand above the line and compose all of it: the home page; header, footer and what concerns the whole site. */
const ON_TOP = ['home', 'site'];
const SLICES = [...Object.keys(MAY_USE), ...ON_TOP];

type Refusal = { regex: string; message: string };

const NO_SERVER_IN_WEB: Refusal = {
  regex: '(^|/)(server|platform)/|^node:',
  message: 'web/ and ui/ run in the browser: ask the server through call() and the contract.',
};
const NO_FOREIGN_STORE: Refusal = {
  regex: `^\\.{1,2}/((\\.\\./)*(src/)?)?(${SLICES.join('|')})/server/([^/]+/)*(store/[^/]+|store(-[^/]+)?|[^/]+-store)\\.ts$`,
  message: "Use the other slice's verbs: only its own verbs know its store.",
};
const NO_OUTSIDE: Refusal = {
  regex: '(^|/)outside/',
  message: 'The app reaches the pretend outside world over HTTP only, as it would the real one.',
};
const ANOTHER_COMPANY = 'outside/ is another company: it shares no code with the app.';
const NO_NOUN_IN_PLATFORM = 'protocol/ and platform/ know no product noun: pass in what they need.';
const NO_NOUN_IN_UI = 'ui/ knows no product noun: pass in what it shows.';
const notOf = (slices: string[], message: string): Refusal => ({
  regex: `^(\\.\\./)+(${slices.join('|')})/`,
  message,
});

const refusing = (patterns: Refusal[]): ['error', { patterns: Refusal[] }] => ['error', { patterns }];

/** The last override that fits a file decides, so each names everything that is refused there. */
const refuse = (files: string[], patterns: Refusal[], excludeFiles: string[] = ['**/*.test.ts', '**/*.test.tsx']) => ({
  files,
  excludeFiles,
  rules: { 'eslint/no-restricted-imports': refusing(patterns) },
});

const sliceOverrides = Object.entries(MAY_USE).flatMap(([slice, allowed]) => {
  const higher = SLICES.filter((other) => other !== slice && !allowed.includes(other));
  const line = `Slices form a line: ${slice} may use ${allowed.join(', ') || 'no other slice'}; a higher one is told by a job.`;
  return [
    refuse([`src/${slice}/**`], [notOf(higher, line), NO_FOREIGN_STORE, NO_OUTSIDE]),
    // (No look-ahead in this regex engine: the end of the pattern says "not contract.ts".)
    // A page may ask any slice's endpoints, and stands among the site's own parts.
    refuse(
      [`src/${slice}/web/**`],
      [
        {
          regex: `^(\\.\\./)+(${higher.filter((other) => other !== 'site').join('|')})/([^/]+/|[^c/]|c[^o/]|co[^n/])`,
          message: `${line} Of the others a page may use the contract.`,
        },
        NO_SERVER_IN_WEB,
        NO_OUTSIDE,
      ],
    ),
  ];
});

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'node', 'react', 'vitest', 'promise'],
  categories: { correctness: 'error' },
  options: { typeAware: true, denyWarnings: true },
  ignorePatterns: ['/build', '/data', '/.react-router', 'demo/pack'],
  rules: {
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/await-thenable': 'error',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
    'import/no-default-export': 'error',
    'import/no-cycle': 'error',
    'oxc/no-barrel-file': ['error', { threshold: 0 }],
    'node/no-process-env': 'error',
    // Our objects of functions have no `this`, and [...text] is how a text's characters are counted here.
    'typescript/unbound-method': 'off',
    'typescript/no-misused-spread': 'off',
    // Advice for the React compiler, which is not used here.
    'react/refs': 'off',
    'react/set-state-in-effect': 'off',
    // Style, not correctness, and not our style.
    'unicorn/no-new-array': 'off',
    'unicorn/prefer-string-starts-ends-with': 'off',
    'vitest/require-to-throw-message': 'off',
    'vitest/no-conditional-expect': 'off',
    'vitest/no-standalone-expect': 'off',
    'vitest/expect-expect': ['error', { assertFunctionNames: ['expect', 'expect*'] }],
    'vitest/valid-expect': ['error', { maxArgs: 2 }],
  },
  overrides: [
    refuse(['src/*.ts', 'src/*.tsx'], [NO_FOREIGN_STORE, NO_OUTSIDE]),
    refuse(['demo/**', 'tools/**'], [NO_FOREIGN_STORE, NO_OUTSIDE]),
    // A root file (config.ts, context.ts, slices.ts) is named by as many `../` as the folder is deep.
    ...[1, 2, 3].flatMap((depth) => {
      const within = (folder: string) => `src/${folder}${'/*'.repeat(depth)}.{ts,tsx}`;
      const noRootFile = (message: string): Refusal => ({ regex: `^(\\.\\./){${depth}}[^./]+\\.tsx?$`, message });
      return [
        refuse(
          [within('protocol'), within('platform')],
          [notOf(SLICES, NO_NOUN_IN_PLATFORM), noRootFile(NO_NOUN_IN_PLATFORM), NO_OUTSIDE],
        ),
        refuse([within('ui')], [notOf(SLICES, NO_NOUN_IN_UI), noRootFile(NO_NOUN_IN_UI), NO_SERVER_IN_WEB, NO_OUTSIDE]),
      ];
    }),
    ...sliceOverrides,
    ...ON_TOP.flatMap((slice) => [
      refuse([`src/${slice}/**`], [NO_FOREIGN_STORE, NO_OUTSIDE]),
      refuse([`src/${slice}/web/**`], [NO_SERVER_IN_WEB, NO_OUTSIDE]),
    ]),
    // What leaves the folder is the app's, whatever it is called.
    refuse(['src/outside/*.ts'], [{ regex: '^\\.\\./', message: ANOTHER_COMPANY }], []),
    refuse(['src/outside/*/*.ts'], [{ regex: '^\\.\\./\\.\\./', message: ANOTHER_COMPANY }], []),
    {
      files: [
        'src/config.ts',
        'tests/**',
        'demo/**',
        'tools/**',
        'bench/**',
        'scripts/**',
        '**/*.test.ts',
        '*.config.ts',
      ],
      rules: { 'node/no-process-env': 'off' },
    },
    // In tests a function whose name begins with `use` need not be a hook.
    { files: ['src/**/*.tsx', 'src/**/web/**/*.ts', 'src/ui/**/*.ts'], rules: { 'react/rules-of-hooks': 'error' } },
    {
      // Frameworks ask for these: route modules, the site map, entries, configuration, Vitest's global setup.
      files: [
        'src/**/web/**/*-page.tsx',
        'src/**/web/**/*layout.tsx',
        'src/home/web/root-alias.tsx',
        'src/{root,routes,entry.server,entry.client}.{ts,tsx}',
        '*.config.ts',
        'tests/database.ts',
        'scripts/test-reporter.mjs',
      ],
      rules: { 'import/no-default-export': 'off' },
    },
  ],
});
