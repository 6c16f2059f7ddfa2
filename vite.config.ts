import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';
import { callAddresses } from './scripts/vite-plugins/call-addresses.ts';
import { classNames } from './scripts/vite-plugins/class-names.ts';
import { serviceWorker } from './scripts/vite-plugins/service-worker.ts';
import { unusedParts } from './scripts/vite-plugins/unused-parts.ts';

/** What at least this many pages and dialogs use is loaded by all of them, in two files that compress better than forty. */
const SHARED_BY = 8;

export default defineConfig({
  plugins: [reactRouter(), callAddresses(), classNames(), unusedParts(), serviceWorker()],
  publicDir: 'public',
  build: { target: 'es2022', sourcemap: false },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              minShareCount: SHARED_BY,
              groups: [
                { name: 'react', test: /\/node_modules\/(react|react-dom|react-router|scheduler)\//, priority: 2 },
                { name: 'base', test: /\/src\//, priority: 1 },
              ],
            },
          },
        },
      },
    },
  },
});
