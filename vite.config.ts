import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';
import { callAddresses } from './scripts/vite-plugins/call-addresses.ts';
import { classNames } from './scripts/vite-plugins/class-names.ts';
import { serviceWorker } from './scripts/vite-plugins/service-worker.ts';
import { unusedParts } from './scripts/vite-plugins/unused-parts.ts';

/** What at least this many pages and dialogs use is loaded by all of them, in two files that compress better than forty. */
const SHARED_BY = 8;

/** Files that every page loads before anything else: what is imported later need not name them. */
const LOADED_FIRST = /\/(?:react|base|rolldown-runtime)-[^/]*$/;

/** Modules for dialogs, tools and single pages. However many share them, they stay out of the file that every page loads for its first view. */
const LATER =
  /\/src\/(?:ui\/(?:feedback\/(?:sheet|load-failure|copy-button)|pictures\/tool-icons)\.tsx$|accounts\/web\/(?:private-page|login\/))/;

export default defineConfig({
  plugins: [reactRouter(), callAddresses(), classNames(), unusedParts(), serviceWorker()],
  publicDir: 'public',
  // The first browsers with cascade layers (`@layer base` of `src/ui`) that run ES2022.
  build: {
    target: 'es2022',
    cssTarget: ['chrome99', 'edge99', 'firefox97', 'safari16.4'],
    sourcemap: false,
    modulePreload: { resolveDependencies: (_, files) => files.filter((file) => !LOADED_FIRST.test(file)) },
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              minShareCount: SHARED_BY,
              groups: [
                { name: 'react', test: /\/node_modules\/(react|react-dom|react-router|scheduler)\//, priority: 2 },
                // Both stand in the header of every page of a member.
                {
                  name: 'member-face',
                  test: /\/web\/(avatar|layout\/member-menu)\.module\.css/,
                  minShareCount: 1,
                  priority: 2,
                },
                { name: 'base', test: (id) => id.includes('/src/') && !LATER.test(id), priority: 1 },
              ],
            },
          },
        },
      },
    },
  },
});
