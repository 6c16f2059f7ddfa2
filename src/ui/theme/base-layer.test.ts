import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const UI = fileURLToPath(new URL('..', import.meta.url));

test.each(globSync('**/*.css', { cwd: UI }))(
  'all rules of %s are in the layer base, so that those of pages win',
  (file) => {
    expect(readFileSync(path.join(UI, file), 'utf8')).toMatch(/^@layer base \{\n( .*\n|\n)*\}\n$/);
  },
);
