import type { MetaDescriptor } from 'react-router';
import { sharePicturePath } from '../../library/addresses.ts';
import type { DocumentDetail } from '../contract.ts';

/** Search engines show about 80 Chinese characters of a description, chat apps fewer. */
const HEADINGS_CHARS = 60;
const HEADING_MAX_CHARS = 24;

/**
 * One sentence for search results and shared links: 《name》活动方案，PPTX，共 25 页：市场洞察、创意策略…… Its headings come from the outline;
 * text of slides is no prose and is left out.
 */
export function descriptionOf(detail: DocumentDetail): string {
  const kind = [detail.industry.name, detail.type.name].filter(Boolean).join(' ');
  const lead = `《${detail.name}》${[kind, detail.file_type_text, `共 ${detail.page_count} 页`].filter(Boolean).join('，')}`;
  const headings = headingsOf(detail);
  return headings.length > 0 ? `${lead}：${headings.join('、')}。` : `${lead}。`;
}

/**
 * Returns the topics of the document from its chapters: without numbers, words in Latin letters alone, the document's
 * own name, and repetitions.
 */
function headingsOf({ name, outline }: DocumentDetail): string[] {
  const found: string[] = [];
  let chars = 0;
  for (const { page, title } of outline) {
    const heading = title.replace(/\s+/g, ' ').trim();
    const length = [...heading].length;
    const isChapter = page > 1 && /\p{Script=Han}{2}/u.test(heading) && !/^[\d第]/.test(heading);
    if (!isChapter || length > HEADING_MAX_CHARS || name.includes(heading) || found.includes(heading)) continue;
    if (ENDINGS.test(heading)) continue;
    if (chars + length > HEADINGS_CHARS) break;
    found.push(heading);
    chars += length;
  }
  return found;
}

/** Titles of pages that every deck has. */
const ENDINGS = /^(目录|封面|封底|谢谢|感谢|致谢|结语|结束|谢谢观看|感谢聆听|感谢观看)/;

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
    ...sharePictureMeta(detail, origin),
  ];
}

function sharePictureMeta(detail: DocumentDetail, origin: string): MetaDescriptor[] {
  if (!detail.share_url) return [];
  return [
    { property: 'og:image', content: `${origin}${sharePicturePath(detail.share_url)}` },
    { property: 'og:image:type', content: 'image/jpeg' },
    { property: 'og:image:width', content: '1200' },
    { property: 'og:image:height', content: '675' },
    { property: 'og:image:alt', content: `${detail.name} 封面` },
    { name: 'twitter:card', content: 'summary_large_image' },
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
    ...(detail.share_url && { image: `${origin}${sharePicturePath(detail.share_url)}` }),
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
