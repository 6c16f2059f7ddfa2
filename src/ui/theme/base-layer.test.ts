import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const UI = fileURLToPath(new URL('..', import.meta.url));
const SRC = path.dirname(UI);

test.each(globSync('**/*.css', { cwd: UI }))(
  'all rules of %s are in the layer base, so that those of pages win',
  (file) => {
    expect(readFileSync(path.join(UI, file), 'utf8')).toMatch(/^@layer base \{\n( .*\n|\n)*\}\n$/);
  },
);

test('no other styles are in a layer', () => {
  const others = globSync('**/*.css', { cwd: SRC }).filter((file) => !file.startsWith('ui/'));
  expect(others.length).toBeGreaterThan(50);
  expect(others.filter((file) => readFileSync(path.join(SRC, file), 'utf8').includes('@layer'))).toEqual([]);
});
