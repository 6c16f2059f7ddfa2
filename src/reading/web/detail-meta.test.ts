import { describe, expect, it } from 'vitest';
import { factsText } from '../../structured-data.tsx';
import { documentDetail as detail } from '../../../tests/document-detail.ts';
import { descriptionOf, detailFacts, detailMeta } from './detail-meta.ts';

// Safe: only origin and name are read.
const root = { origin: 'https://ceku.test', site: { name: '策库' } } as Parameters<typeof detailMeta>[1];

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
