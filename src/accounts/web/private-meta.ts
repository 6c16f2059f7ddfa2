import type { MetaDescriptor } from 'react-router';

/** Head of a page that is only its owner's: a title, and nothing for search engines (C-17). */
export function privateMeta(root: { site: { name: string } } | undefined, title: string): MetaDescriptor[] {
  return [{ title: `${title} - ${root?.site.name ?? '策库'}` }, { name: 'robots', content: 'noindex' }];
}
