import type { MetaDescriptor } from 'react-router';

/** Title, description and canonical address of a legal page. `root`: what the root loader gave, if it could. */
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
