import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { importingNamespaces, shortNames } from './class-names.ts';

const stylesheet = (name: string) => fileURLToPath(new URL(`../../src/${name}.module.css`, import.meta.url));
const [CARD, HERO] = [stylesheet('library/web/document-card'), stylesheet('home/web/hero')];

it('gives each name of each stylesheet a short one, the same whenever it is asked', () => {
  const [browser, server] = [shortNames().nameOf, shortNames().nameOf];
  const names = [
    browser('card', CARD),
    browser('title', CARD),
    browser('title', HERO),
    browser('card', `${CARD}?used`),
  ];
  expect(names.map((name) => /^[B-Z][a-z][0-9a-z]+$/.test(name))).toEqual([true, true, true, true]);
  expect(new Set(names).size).toBe(3);
  expect(names[3]).toBe(names[0]);
  server('title', HERO);
  expect([server('card', CARD), server('title', CARD)]).toEqual(names.slice(0, 2));
});

it('imports stylesheets as namespaces and leaves all other imports', () => {
  const code = `import styles from './hero.module.css';\nimport { Link } from 'react-router';\nimport './global.css';`;
  expect(importingNamespaces(code)).toBe(
    `import * as styles from './hero.module.css';\nimport { Link } from 'react-router';\nimport './global.css';`,
  );
});
