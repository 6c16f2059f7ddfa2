import type { MetaDescriptor } from 'react-router';

/**
 * Returns title, description and canonical address of a legal page. `root`: data of the root loader, if it succeeded.
 */
export function legalMeta(
  root: { origin: string; site: { name: string } } | undefined,
  path: string,
  title: string,
  description: string,
): MetaDescriptor[] {
  const name = root?.site.name ?? '策库';
  return [
    { title: `${title} - ${name}` },
    { name: 'description', content: `${name}${title}：${description}` },
    { tagName: 'link', rel: 'canonical', href: `${root?.origin ?? ''}${path}` },
  ];
}
