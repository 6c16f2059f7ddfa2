import { expect, it } from 'vitest';
import { shortened } from './route-table.ts';

it('leaves of each route what the browser reads', () => {
  const home = { id: 'home', parentId: 'root', path: 'index', hasAction: false, hasLoader: true, module: '/home.js' };
  const table = {
    entry: { module: '/entry.js', imports: ['/react.js'] },
    routes: { home: { ...home, imports: ['/react.js'], css: ['/home.css'], hasErrorBoundary: false } },
    url: '/assets/manifest-1.js',
    version: '1',
  };
  expect(shortened(`window.__reactRouterManifest=${JSON.stringify(table)};`)).toBe(
    `window.__reactRouterManifest=${JSON.stringify({
      entry: { module: '/entry.js' },
      routes: {
        home: { id: 'home', parentId: 'root', path: 'index', hasLoader: true, module: '/home.js', css: ['/home.css'] },
      },
      url: '/assets/manifest-1.js',
      version: '1',
    })};`,
  );
});

it('refuses another kind of script', () => {
  expect(() => shortened('export default {};')).toThrow(/no table of routes/);
});
