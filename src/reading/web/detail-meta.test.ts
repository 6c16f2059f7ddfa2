import { describe, expect, it } from 'vitest';
import type { DocumentDetail } from '../contract.ts';
import { factsText } from '../../structured-data.tsx';
import { descriptionOf, detailFacts, detailMeta } from './detail-meta.ts';

// Safe: only origin and name are read.
const root = { origin: 'https://ceku.test', site: { name: '策库' } } as Parameters<typeof detailMeta>[1];
const none = { id: 0, name: '' };
const detail: DocumentDetail = {
  id: 9,
  fid: 9,
  name: '春节<script>营销',
  price: 12,
  share_url: '/media/x/cover.webp',
  cover_srcset: '/media/x/cover.webp 480w',
  cover_color: '#aabbcc',
  file_type: 1,
  file_type_text: 'PPTX',
  page_count: 62,
  size: 12.34,
  organization: none,
  industry: { id: 1, name: '餐饮' },
  type: none,
  researcher: none,
  time_text: '2026-11-03',
  create_time: 0,
  updateText: '',
  is_new: 0,
  strip_url: '',
  has_words: 0,
  online_url: '',
  is_favorite: 0,
  stated: [],
  key_pages: [],
  item_id: 9,
  item_type: 3,
  parent_id: 0,
  chart_list: [],
  keyword: '春节,火锅',
  page_urls: [],
  page_sizes: [],
  page_urls_2x: [],
  page_sizes_2x: [],
  themes: [],
  owned: 0,
  preview_only: 0,
  text_excerpt: '  从  一口锅 开始 ',
  outline: [],
  preview_pending: 0,
  whole_pending: 0,
  read_limited: 0,
  last_page: 0,
  cover_width: 1280,
  cover_height: 720,
};

describe('detail meta', () => {
  it('describes in one sentence, by the facts and the headings of the outline', () => {
    const titles = ['春节', '目录', '市场洞察', 'MARKET INSIGHT', '38分钟', '2 46', '创意策略', '市场洞察', '谢谢观看'];
    const outline = titles.map((title, index) => ({ page: index + 1, title }));
    expect(descriptionOf({ ...detail, type: { id: 2, name: '活动方案' }, outline })).toBe(
      '《春节<script>营销》餐饮 活动方案，PPTX，共 62 页：市场洞察、创意策略。',
    );
    expect(descriptionOf(detail)).toBe('《春节<script>营销》餐饮，PPTX，共 62 页。');
  });

  it('is described by that sentence to search engines and in shared links, not by text of slides', () => {
    const meta = detailMeta(detail, root);
    const content = '《春节<script>营销》餐饮，PPTX，共 62 页。';
    expect(meta).toContainEqual({ name: 'description', content });
    expect(meta).toContainEqual({ property: 'og:description', content });
  });

  it('stays short however long the outline is', () => {
    const outline = Array.from({ length: 80 }, (_, index) => ({
      page: index + 2,
      title: `${'章'.repeat(12)}之${index}`,
    }));
    expect(descriptionOf({ ...detail, outline }).length).toBeLessThan(120);
  });

  it('points at the canonical address and at a picture that other sites can show large', () => {
    const meta = detailMeta(detail, root);
    expect(meta).toContainEqual({ tagName: 'link', rel: 'canonical', href: 'https://ceku.test/detail/9' });
    expect(meta).toContainEqual({ property: 'og:image', content: 'https://ceku.test/media/x/share.jpg' });
    expect(meta).toContainEqual({ property: 'og:image:width', content: '1200' });
    const bare = detailMeta({ ...detail, share_url: '' }, root);
    expect(bare).toContainEqual({ property: 'og:image', content: 'https://ceku.test/icon-512.png' });
    expect(JSON.stringify(bare)).not.toContain('summary_large_image');
  });

  it('cannot be broken out of by a name, and stays the same data', () => {
    const text = factsText(detailFacts(detail, 'https://ceku.test', '策库'));
    expect(text).not.toMatch(/[<>&]/);
    expect(JSON.parse(text)['@graph']).toMatchObject([
      { '@type': 'DigitalDocument', name: detail.name, isAccessibleForFree: false },
      { '@type': 'BreadcrumbList', itemListElement: [{ name: '首页' }, { name: '餐饮' }, { name: detail.name }] },
    ]);
  });
});
