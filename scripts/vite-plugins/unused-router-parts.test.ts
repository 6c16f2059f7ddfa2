import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findLeftOut, withoutParts } from './unused-router-parts.ts';

/** A module of React Router as it is installed. */
const installed = (module: string) => {
  const place = new URL(`../../node_modules/react-router/dist/production/${module}`, import.meta.url);
  return readFileSync(place, 'utf8');
};

it('leaves out statements and decides expressions that never change in a browser', () => {
  const made = withoutParts(installed('lib/dom/ssr/single-fetch.js'), 'lib/dom/ssr/single-fetch.js');
  expect(made).toContain('return dataStrategy;');
  expect(made).not.toContain('return nonSsrStrategy(');
});

it('leaves out the advice to developers, and keeps the condition of an invariant', () => {
  const made = withoutParts(
    `Link.displayName = "Link";\nwarning(isUsed, "Use it");\ninvariant(router(), "No " + name("router"));\nif (a) warningOnce("b");\nrun();`,
    'lib/router/unknown.js',
  );
  expect(made).toBe(';\n;\ninvariant(router());\nif (a) ;\nrun();');
});

it('refuses a module of another release', () => {
  expect(() => withoutParts('function createRouter() {}', 'lib/router/router.js')).toThrow(/any more/);
  const code = installed('lib/dom/ssr/data.js').replace('if (request.method !== "GET")', 'if (hasBody(request))');
  expect(() => withoutParts(code, 'lib/dom/ssr/data.js')).toThrow(/any more/);
});

it.each([
  [`export async function clientLoader() {}`, 'clientLoader'],
  [`import {\n  Link,\n  useFetcher,\n} from 'react-router';`, 'useFetcher'],
  [`import { Form } from 'react-router';`, 'Form'],
  [`<Link to="/" viewTransition>`, 'viewTransition'],
  [`<NavLink\n  to="/index"\n  prefetch="intent"\n>`, 'prefetch'],
])('names the part that our own module uses, though it is left out: %s', (code, part) => {
  expect(findLeftOut(code)).toBe(part);
});

it('lets a module use all other parts', () => {
  const code = `import { Link } from 'react-router';\nimport { Form } from './form.tsx';\nexport async function loader() {}\n<Link to="/">`;
  expect(findLeftOut(code)).toBeUndefined();
});
