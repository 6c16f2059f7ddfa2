import type { MetaDescriptor } from 'react-router';
import { sharePicture } from '../../library/addresses.ts';
import { pageMeta } from '../../page-head.ts';
import { breadcrumbs } from '../../structured-data.tsx';
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
    if (COMMON_TITLES.test(heading)) continue;
    if (chars + length > HEADINGS_CHARS) break;
    found.push(heading);
    chars += length;
  }
  return found;
}

/** How titles begin of pages that every deck has. */
const COMMON_TITLES = /^(目录|封面|封底|谢谢|感谢|致谢|结语|结束)/;

export function detailMeta(detail: DocumentDetail, root: Parameters<typeof pageMeta>[0]): MetaDescriptor[] {
  const picture = detail.share_url ? sharePicture(detail.share_url, `${detail.name} 封面`) : undefined;
  return [
    ...pageMeta(root, {
      title: detail.name,
      description: descriptionOf(detail),
      path: `/detail/${detail.id}`,
      share: { type: 'article', ...(picture && { picture }) },
    }),
    ...(detail.keyword ? [{ name: 'keywords', content: detail.keyword }] : []),
  ];
}

const MEDIA_TYPES = {
  1: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  2: 'application/vnd.ms-powerpoint',
  3: 'application/pdf',
} as const;

/** Returns what schema.org calls a digital document, and the way to it. */
export function detailFacts(detail: DocumentDetail, origin: string, siteName: string): object {
  const { industry } = detail;
  const path = `/detail/${detail.id}`;
  const steps = industry.name ? [{ name: industry.name, path: `/report?industry_id=${industry.id}` }] : [];
  const document = {
    '@type': 'DigitalDocument',
    name: detail.name,
    description: descriptionOf(detail),
    url: `${origin}${path}`,
    ...(detail.share_url && { image: `${origin}${sharePicture(detail.share_url, '').path}` }),
    datePublished: detail.time_text,
    inLanguage: 'zh-CN',
    encodingFormat: MEDIA_TYPES[detail.file_type],
    isAccessibleForFree: detail.price === 0 && detail.preview_only === 0,
    ...(detail.keyword && { keywords: detail.keyword }),
    ...(industry.name && { about: { '@type': 'Thing', name: industry.name } }),
    ...(detail.organization.name && { creator: { '@type': 'Organization', name: detail.organization.name } }),
    publisher: { '@type': 'Organization', name: siteName, url: origin },
  };
  return { '@graph': [document, breadcrumbs(origin, [...steps, { name: detail.name, path }])] };
}
