import { describe, expect, it } from 'vitest';
import type { DocumentDetail } from '../contract.ts';
import { descriptionOf, detailMeta, structuredData } from './detail-meta.ts';

const none = { id: 0, name: '' };
const detail: DocumentDetail = {
  id: 9,
  fid: 9,
  name: '春节<script>营销',
  price: 12,
  share_url: '/media/x/cover.webp',
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
  item_id: 9,
  item_type: 3,
  parent_id: 0,
  chart_list: [],
  keyword: '春节,火锅',
  page_urls: [],
  page_sizes: [],
  themes: [],
  owned: 0,
  preview_only: 0,
  text_excerpt: '  从  一口锅 开始 ',
  outline: [],
  preview_pending: 0,
  read_limited: 0,
  cover_width: 1280,
  cover_height: 720,
};

describe('detail meta', () => {
  it('describes by the text, or by the facts alone', () => {
    expect(descriptionOf(detail)).toBe('春节<script>营销（餐饮，PPTX，共 62 页）：从 一口锅 开始');
    expect(descriptionOf({ ...detail, text_excerpt: '' })).toBe('春节<script>营销（餐饮，PPTX，共 62 页）');
  });

  it('points at the canonical address and an absolute cover', () => {
    const meta = detailMeta(detail, 'https://ceku.test', '策库');
    expect(meta).toContainEqual({ tagName: 'link', rel: 'canonical', href: 'https://ceku.test/detail/9' });
    expect(meta).toContainEqual({ property: 'og:image', content: 'https://ceku.test/media/x/cover.webp' });
    const bare = detailMeta({ ...detail, share_url: '' }, 'https://ceku.test', '策库');
    expect(JSON.stringify(bare)).not.toContain('og:image');
  });

  it('cannot be broken out of by a name, and stays the same data', () => {
    const text = structuredData(detail, 'https://ceku.test', '策库');
    expect(text).not.toMatch(/[<>&]/);
    expect(JSON.parse(text)).toMatchObject({
      '@type': 'DigitalDocument',
      name: detail.name,
      isAccessibleForFree: false,
    });
  });
});
