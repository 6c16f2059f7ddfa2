import path from 'node:path';
import { bootstrap, handOver } from './bootstrap.mjs';
import { endWith } from './progress.mjs';

try {
  const { root, node } = await bootstrap({ pages: true });
  const env = {
    // React picks its build by this variable when it is loaded; unset, it is the slow development build.
    NODE_ENV: process.env.NODE_ENV || 'production',
    // Node keeps compiled modules here, as for `ceku`; a folder that it may not write to changes nothing.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.join(root, 'node_modules/.cache/ceku'),
  };
  await handOver(node, ['src/main.ts', ...process.argv.slice(2)], env);
} catch (error) {
  endWith(error);
}
