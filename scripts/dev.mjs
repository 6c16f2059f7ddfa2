import { bootstrap, handOver } from './bootstrap.mjs';
import { endWith } from './progress.mjs';

// Pages are reloaded in place by Vite inside the site; a change in the server's own files starts the site again.
try {
  const { node } = await bootstrap({ pages: false });
  await handOver(node, ['--watch', '--watch-preserve-output', 'src/main.ts', ...process.argv.slice(2)], {
    NODE_ENV: 'development',
  });
} catch (error) {
  endWith(error);
}
