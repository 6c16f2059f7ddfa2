import { isRouteErrorResponse, type MetaDescriptor } from 'react-router';
import type { RootData } from './root-data.ts';

/** A page as search engines and chat apps are told of it. */
type PageHead = {
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

/** Returns title and robots of a page that no search engine lists. */
export const unlistedMeta = (root: Root, title: string): MetaDescriptor[] => [
  { title: `${title} - ${root?.site.name ?? '策库'}` },
  { name: 'robots', content: 'noindex' },
];

/** Returns the same of a page whose loader threw. `missing`: the title where nothing is found. */
export function failureMeta(root: Root, error: unknown, missing = '页面不存在'): MetaDescriptor[] {
  const isMissing = isRouteErrorResponse(error) && (error.status === 404 || error.status === 410);
  return unlistedMeta(root, isMissing ? missing : '暂时无法打开');
}

/** Returns title, description, canonical address and Open Graph of a page. `root`: data of the root loader, if it succeeded. */
export function pageMeta(root: Root, page: PageHead): MetaDescriptor[] {
  const siteName = root?.site.name ?? '策库';
  const origin = root?.origin ?? '';
  const { title, description, share } = page;
  const picture = share?.picture ?? { ...MARK, alt: siteName };
  const url = `${origin}${page.path}`;
  const openGraph = (name: string, content: string | number) => ({ property: `og:${name}`, content: String(content) });
  return [
    ...unlistedMeta(root, title).slice(0, page.isIndexed === false ? 2 : 1),
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: url },
    openGraph('type', share?.type ?? 'website'),
    openGraph('title', share?.title ?? title),
    openGraph('description', description),
    openGraph('url', url),
    openGraph('site_name', siteName),
    openGraph('image', `${origin}${picture.path}`),
    openGraph('image:width', picture.width),
    openGraph('image:height', picture.height),
    openGraph('image:alt', picture.alt),
    ...(share?.picture ? [{ name: 'twitter:card', content: 'summary_large_image' }] : []),
  ];
}
