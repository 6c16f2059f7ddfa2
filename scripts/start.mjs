import { bootstrap, handOver } from './bootstrap.mjs';
import { endWith } from './progress.mjs';

try {
  const { node } = await bootstrap({ pages: true });
  await handOver(node, ['src/main.ts', ...process.argv.slice(2)]);
} catch (error) {
  endWith(error);
}
