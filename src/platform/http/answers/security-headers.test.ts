import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { hashScripts } from './security-headers.ts';

const NONCE = 'q3RtMx0Zb7yWcVu1';
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

it('hashes the scripts that carry the nonce, as they stand in the page without it', () => {
  const page =
    `<head><link rel="modulepreload" href="/a.js" nonce="${NONCE}"/><script nonce="${NONCE}">one("方案")</script></head>` +
    `<script nonce="${NONCE}" type="module" async="">import "/a.js"</script><script nonce="${NONCE}">x("{\\"nonce\\":\\"${NONCE}\\"}")</script>` +
    `<script src="/b.js" nonce="${NONCE}"></script>`;
  const { html, hashes } = hashScripts(page, NONCE);
  expect(html).not.toContain(NONCE);
  expect(html).toContain('<link rel="modulepreload" href="/a.js"/><script>one("方案")</script>');
  expect(hashes).toEqual([hashOf('one("方案")'), hashOf('import "/a.js"'), hashOf('x("{\\"nonce\\":\\"\\"}")')]);
});

it('lets no script run that was brought in without the nonce', () => {
  const { html, hashes } = hashScripts(
    `<p><script>evil()</script><script nonce="guess">evil()</script></p><script nonce="${NONCE}">good()</script>`,
    NONCE,
  );
  expect(html).toContain('evil()');
  expect(hashes).toEqual([hashOf('good()')]);
});
