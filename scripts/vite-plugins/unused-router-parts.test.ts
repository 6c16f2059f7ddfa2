import { expect, it } from 'vitest';
import { withOutcomes } from './unused-router-parts.ts';

it('decides what never changes in a browser, and leaves modules it does not know', () => {
  const code = 'if (init.instrumentations) { observe(); }\nif (init.instrumentations) router = observed(router);';
  expect(withOutcomes(code, 'router/router.js')).toBe(
    'if (false) { observe(); }\nif (false) router = observed(router);',
  );
  expect(withOutcomes(code, 'router/history.js')).toBe(code);
});

it('refuses a module of another release', () => {
  expect(() => withOutcomes('function createRouter() {}', 'router/router.js')).toThrow(/any more/);
});
