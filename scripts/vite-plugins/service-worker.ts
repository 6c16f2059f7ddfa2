import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

/**
 * Writes /sw.js beside the pages' files, one script of its own. Browsers take a worker for a new one when its bytes
 * differ, so it names the build: a hash of the names of all files, which are made of their contents.
 */
export function serviceWorker(): Plugin {
  const fileName = 'sw.js';
  const source = 'src/site/service-worker/worker.ts';
  return {
    name: 'ceku-service-worker',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    buildStart() {
      this.emitFile({ type: 'chunk', id: source, fileName });
    },
    generateBundle: {
      // After the plugins that add files.
      order: 'post',
      handler(_, bundle) {
        const worker = bundle[fileName];
        if (worker?.type !== 'chunk') throw new Error(`${source} was not built.`);
        if (worker.imports.length > 0)
          throw new Error(`${source} shares a file with the pages: ${worker.imports.join()}`);
        const names = Object.keys(bundle).toSorted().join('\n');
        const build = createHash('sha256').update(names).update(worker.code).digest('hex').slice(0, 12);
        worker.code = worker.code.replaceAll('__BUILD__', build);
      },
    },
  };
}
