import { bootstrap, handOver } from './bootstrap.mjs';
import { endWith } from './progress.mjs';

try {
  const { node } = await bootstrap({ pages: true });
  // React picks its build by this variable when it is loaded; unset, it is the slow development build.
  const env = { NODE_ENV: process.env.NODE_ENV || 'production' };
  await handOver(node, ['src/main.ts', ...process.argv.slice(2)], env);
} catch (error) {
  endWith(error);
}
