import { createHash } from 'node:crypto';

/**
 * Removes the nonce from a page and returns the page with the hashes of the inline scripts that carried the nonce, in
 * the form of Content-Security-Policy (`'sha256-…'`). So the page is the same for every visitor, and still no other
 * inline script runs: an injected script has no nonce here and therefore no hash. `nonce` must be unguessable and made
 * for this one rendering.
 */
export function hashScripts(html: string, nonce: string): { html: string; hashes: string[] } {
  const attribute = ` nonce="${nonce}"`;
  const hashes = new Set<string>();
  const withoutNonce = html
    .replace(/(<script\b[^>]*>)([\s\S]*?)<\/script>/g, (whole, tag: string, text: string) => {
      if (!tag.includes(attribute)) return whole;
      // The data in the scripts names the nonce as well, for components that add elements later.
      const script = text.replaceAll(nonce, '');
      if (script !== '') hashes.add(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
      return `${tag}${script}</script>`;
    })
    .replaceAll(attribute, '');
  return { html: withoutNonce.replaceAll(nonce, ''), hashes: [...hashes] };
}
