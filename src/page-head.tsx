import type { MetaDescriptor } from 'react-router';
import { useRootData, type RootData } from './root-data.ts';

/** A page as search engines and chat apps are told of it. */
export type PageHead = {
  /** Without the name of the site. */
  title: string;
  description: string;
  /** The canonical address, from the root, with the parameters that make it another page. */
  path: string;
  /** The preview of a shared link, where it differs from title, description and the mark of the site. */
  share?: { title?: string; type?: 'article'; picture?: { path: string; width: number; height: number; alt: string } };
  /** False keeps the page out of search engines: nothing on it, another view of another page, or a page of members. */
  isIndexed?: boolean;
};

type Root = Pick<RootData, 'origin' | 'site'> | undefined;

/** The mark of the site, for links to pages without a picture of their own. */
const MARK = { path: '/icon-512.png', width: 512, height: 512, alt: '' };

/** Returns title, description, canonical address and Open Graph of a page. `root`: data of the root loader, if it succeeded. */
export function pageMeta(root: Root, page: PageHead): MetaDescriptor[] {
  const siteName = root?.site.name ?? '策库';
  const origin = root?.origin ?? '';
  const { title, description, share } = page;
  const picture = share?.picture ?? { ...MARK, alt: siteName };
  return [
    { title: `${title} - ${siteName}` },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: `${origin}${page.path}` },
    { property: 'og:type', content: share?.type ?? 'website' },
    { property: 'og:title', content: share?.title ?? title },
    { property: 'og:description', content: description },
    { property: 'og:url', content: `${origin}${page.path}` },
    { property: 'og:site_name', content: siteName },
    { property: 'og:image', content: `${origin}${picture.path}` },
    { property: 'og:image:width', content: String(picture.width) },
    { property: 'og:image:height', content: String(picture.height) },
    { property: 'og:image:alt', content: picture.alt },
    ...(share?.picture ? [{ name: 'twitter:card', content: 'summary_large_image' }] : []),
    ...(page.isIndexed === false ? [{ name: 'robots', content: 'noindex' }] : []),
  ];
}

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
export function factsText(facts: object): string {
  return JSON.stringify({ '@context': 'https://schema.org', ...facts }).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

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

/** Returns the documents of a list in their order, for StructuredData. */
export function documentList(origin: string, documents: readonly { id: number; name: string }[]): object {
  return {
    '@type': 'ItemList',
    numberOfItems: documents.length,
    itemListElement: documents.map(({ id, name }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: name.replace(/<\/?em>/g, ''),
      url: `${origin}/detail/${id}`,
    })),
  };
}
