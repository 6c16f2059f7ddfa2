import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findLeftOut, withoutParts } from './unused-parts.ts';

/** A module as it is installed. */
const installed = (module: string) => readFileSync(new URL(`../../node_modules/${module}`, import.meta.url), 'utf8');

const ROUTER = 'react-router/dist/production/lib';
const RENDERER = 'react-dom/cjs/react-dom-client.production.js';

it('leaves out statements and decides expressions that never change in a browser', () => {
  const made = withoutParts(installed(`${ROUTER}/dom/ssr/single-fetch.js`), `${ROUTER}/dom/ssr/single-fetch.js`);
  expect(made).toContain('return dataStrategy;');
  expect(made).not.toContain('return nonSsrStrategy(');
});

it('leaves of React what every page uses, and drops what no page has an element for', () => {
  const made = withoutParts(installed(RENDERER), RENDERER);
  expect(made).toContain('flushMutationEffects(), flushLayoutEffects(), flushSpawnedWork()');
  expect(made).not.toContain('isViewTransitionEligible && restore');
  expect(made).not.toContain('FragmentInstance.prototype');
});

it('leaves out the advice to developers, and keeps the condition of an invariant', () => {
  const made = withoutParts(
    `Link.displayName = "Link";\nwarning(isUsed, "Use it");\ninvariant(router(), "No " + name("router"));\nif (a) warningOnce("b");\nrun();`,
    `${ROUTER}/unknown.js`,
  );
  expect(made).toBe(';\n;\ninvariant(router());\nif (a) ;\nrun();');
});

it('refuses a module of another release', () => {
  expect(() => withoutParts('function createRouter() {}', `${ROUTER}/router/router.js`)).toThrow(/any more/);
  const code = installed(`${ROUTER}/dom/ssr/data.js`).replace('if (request.method !== "GET")', 'if (hasBody(request))');
  expect(() => withoutParts(code, `${ROUTER}/dom/ssr/data.js`)).toThrow(/any more/);
});

it.each([
  [`export async function clientLoader() {}`, 'clientLoader'],
  [`import {\n  Link,\n  useFetcher,\n} from 'react-router';`, 'useFetcher'],
  [`import { Form } from 'react-router';`, 'Form'],
  [`import { lazy, ViewTransition } from 'react';`, 'ViewTransition'],
  [`<Fragment key={id} ref={all}>`, 'ref'],
  [`<Link to="/" viewTransition>`, 'viewTransition'],
  [`<NavLink\n  to="/index"\n  prefetch="intent"\n>`, 'prefetch'],
])('names the part that our own module uses, though it is left out: %s', (code, part) => {
  expect(findLeftOut(code)).toBe(part);
});

it('lets a module use all other parts', () => {
  const code = `import { Link } from 'react-router';\nimport { Form } from './form.tsx';\nexport async function loader() {}\n<Link to="/">`;
  expect(findLeftOut(code)).toBeUndefined();
});
