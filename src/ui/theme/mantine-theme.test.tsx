import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { theme } from './theme.ts';

const HEAD = `/*
 * The variables that Mantine makes from theme.ts, as MantineProvider would write them into each page. Made by
 * mantine-theme.test.tsx: "npm test -- src/ui -u" writes the file again after a change of the theme.
 */
`;

it('has the variables of the theme in a static file', async () => {
  const page = renderToStaticMarkup(
    <MantineProvider theme={theme} forceColorScheme="light">
      {null}
    </MantineProvider>,
  );
  const css = /<style data-mantine-styles="true">(.*?)<\/style>/s.exec(page)?.[1] ?? '';
  const rules = [...css.matchAll(/([^{}]+)\{([^}]*)\}/g)].map(([, selectors = '', body = '']) => {
    const lines = body.split(';').filter(Boolean);
    return `${selectors.trim().split(/,\s*/).join(',\n')} {\n${lines.map((line) => `  ${line.trim()};\n`).join('')}}\n`;
  });
  expect(rules).toHaveLength(3);
  const text = (HEAD + rules.join('')).replaceAll('"', "'");
  await expect(text).toMatchFileSnapshot('./mantine-theme.css');
});
