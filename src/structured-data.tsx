import { useRootData } from './root-data.ts';

/** Renders facts by the vocabulary of schema.org (JSON-LD). `facts` gets the origin and the name of the site. */
export function StructuredData({ facts }: { facts: (origin: string, siteName: string) => object }) {
  const root = useRootData();
  return (
    <script
      type="application/ld+json"
      nonce={root?.nonce}
      suppressHydrationWarning
      // Safe: factsText escapes every character that could end the tag.
      dangerouslySetInnerHTML={{ __html: factsText(facts(root?.origin ?? '', root?.site.name ?? '策库')) }}
    />
  );
}

/** Returns schema.org facts as the text of a script tag: no character in it can end the tag. */
export const factsText = (facts: object) =>
  escapeScript(JSON.stringify({ '@context': 'https://schema.org', ...facts }));

/** Returns JSON text in which nothing can end a script tag or open a comment. */
export const escapeScript = (json: string) =>
  json.replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Returns the way from the home page to a page, for StructuredData. `path`: from the root. */
export function breadcrumbs(origin: string, steps: readonly { name: string; path: string }[]): object {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: [{ name: '首页', path: '/index' }, ...steps].map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: `${origin}${path}`,
    })),
  };
}

/** Returns the documents of a list in their order, for StructuredData. `name`: plain text, no markup of search. */
export function documentList(origin: string, documents: readonly { id: number; name: string }[]): object {
  return {
    '@type': 'ItemList',
    numberOfItems: documents.length,
    itemListElement: documents.map(({ id, name }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      url: `${origin}/detail/${id}`,
    })),
  };
}
