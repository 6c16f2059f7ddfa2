import type { MetaDescriptor } from 'react-router';
import type { DocumentDetail } from '../contract.ts';

const DESCRIPTION_LENGTH = 120;

/** One or two sentences for search results: the beginning of the text, or the facts where there is none. */
export function descriptionOf(detail: DocumentDetail): string {
  const facts = [detail.industry.name, detail.type.name, detail.file_type_text, `共 ${detail.page_count} 页`];
  const lead = `${detail.name}（${facts.filter(Boolean).join('，')}）`;
  const text = detail.text_excerpt.replace(/\s+/g, ' ').trim();
  return [...`${lead}${text && `：${text}`}`].slice(0, DESCRIPTION_LENGTH + lead.length).join('');
}

export function detailMeta(detail: DocumentDetail, origin: string, siteName: string): MetaDescriptor[] {
  const url = `${origin}/detail/${detail.id}`;
  const title = `${detail.name} - ${siteName}`;
  const description = descriptionOf(detail);
  return [
    { title },
    { name: 'description', content: description },
    ...(detail.keyword ? [{ name: 'keywords', content: detail.keyword }] : []),
    { tagName: 'link', rel: 'canonical', href: url },
    { property: 'og:type', content: 'article' },
    { property: 'og:title', content: detail.name },
    { property: 'og:description', content: description },
    { property: 'og:url', content: url },
    { property: 'og:site_name', content: siteName },
    ...(detail.share_url ? [{ property: 'og:image', content: `${origin}${detail.share_url}` }] : []),
  ];
}

const MEDIA_TYPES = {
  1: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  2: 'application/vnd.ms-powerpoint',
  3: 'application/pdf',
} as const;

/** schema.org facts as the text of a script tag: no character in it can end the tag. */
export function structuredData(detail: DocumentDetail, origin: string, siteName: string): string {
  const facts = {
    '@context': 'https://schema.org',
    '@type': 'DigitalDocument',
    name: detail.name,
    description: descriptionOf(detail),
    url: `${origin}/detail/${detail.id}`,
    ...(detail.share_url && { image: `${origin}${detail.share_url}` }),
    datePublished: detail.time_text,
    inLanguage: 'zh-CN',
    encodingFormat: MEDIA_TYPES[detail.file_type],
    isAccessibleForFree: detail.price === 0 && detail.preview_only === 0,
    ...(detail.keyword && { keywords: detail.keyword }),
    ...(detail.industry.name && { about: { '@type': 'Thing', name: detail.industry.name } }),
    ...(detail.organization.name && { creator: { '@type': 'Organization', name: detail.organization.name } }),
    publisher: { '@type': 'Organization', name: siteName, url: origin },
  };
  return JSON.stringify(facts).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
