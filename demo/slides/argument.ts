import { accent, createPage, dress, type Page } from '../page.ts';
import { at } from '../random.ts';
import type { Deck } from '../deck.ts';

const SOURCE = '数据来源：项目组访谈与抽样问卷，示例数据';

/** Insight: three figures and what they mean; cards, or one large figure leading. */
export function addInsight(deck: Deck): void {
  const page = createPage(deck.pptx, deck.theme);
  const { theme, copy } = deck;
  const { figures, insights } = copy.industry;
  dress(page, deck.heading(deck.label('insight'), 'MARKET INSIGHT'));
  if (deck.look % 3 !== 1) {
    figures.forEach((figure, i) => {
      const x = 0.8 + i * 4.01;
      const colour = accent(theme, i);
      const lead = i === deck.look % 3;
      page.panel({ x, y: 1.85, w: 3.71, h: 2.2 }, lead ? colour.fill : theme.surface);
      page.text(
        figure.title,
        { x: x + 0.3, y: 2.02, w: 3.11, h: 1.15 },
        { size: 54, min: 28, lines: 1, display: true, color: lead ? colour.on : colour.text, valign: 'middle' },
      );
      page.text(
        figure.text,
        { x: x + 0.3, y: 3.22, w: 3.11, h: 0.5 },
        { size: 17, min: 11, lines: 1, color: lead ? colour.on : theme.muted, valign: 'middle' },
      );
    });
    insights.slice(0, 3).forEach((insight, i) => {
      const x = 0.8 + i * 4.01;
      page.bar({ x, y: 4.42, w: 0.5, h: 0.06 }, accent(theme, i).fill);
      page.text(
        insight.title,
        { x, y: 4.56, w: 3.71, h: 0.5 },
        { size: 22, min: 14, lines: 1, display: true, valign: 'middle' },
      );
      page.text(insight.text, { x, y: 5.14, w: 3.6, h: 1.3 }, { size: 17, min: 12, color: theme.muted, leading: 1.18 });
    });
  } else {
    const lead = accent(theme, 0);
    const [first, ...rest] = figures;
    page.panel({ x: 0.8, y: 1.85, w: 4.3, h: 4.5 }, lead.fill);
    page.text(
      first?.title ?? '',
      { x: 1.15, y: 2.15, w: 3.6, h: 1.25 },
      { size: 62, min: 34, lines: 1, display: true, color: lead.on, valign: 'middle' },
    );
    page.text(
      first?.text ?? '',
      { x: 1.15, y: 3.42, w: 3.6, h: 0.44 },
      { size: 16, min: 11, lines: 1, color: lead.on, valign: 'middle' },
    );
    page.bar({ x: 1.15, y: 4.15, w: 3.6, h: 0.015 }, lead.on);
    rest.forEach((figure, i) => {
      const x = 1.15 + i * 1.87;
      page.text(
        figure.title,
        { x, y: 4.4, w: 1.75, h: 0.7 },
        { size: 28, min: 16, lines: 1, display: true, color: lead.on, valign: 'middle' },
      );
      page.text(figure.text, { x, y: 5.14, w: 1.72, h: 0.8 }, { size: 12.5, min: 9.5, color: lead.on, leading: 1.12 });
    });
    insights.slice(0, 3).forEach((insight, i) => {
      const y = 1.85 + i * 1.55;
      page.text(
        String(i + 1),
        { x: 5.5, y, w: 0.7, h: 0.9 },
        { size: 40, display: true, color: accent(theme, i).text, valign: 'middle' },
      );
      page.text(
        insight.title,
        { x: 6.3, y: y + 0.02, w: 6.2, h: 0.48 },
        { size: 20, lines: 1, display: true, valign: 'middle' },
      );
      page.text(
        insight.text,
        { x: 6.3, y: y + 0.54, w: 6.2, h: 0.74 },
        { size: 17, min: 12, color: theme.muted, leading: 1.12 },
      );
      if (i < 2) page.bar({ x: 5.5, y: y + 1.4, w: 7.03, h: 0.012 }, theme.line);
    });
  }
  page.text(SOURCE, { x: 0.8, y: 6.5, w: 8, h: 0.26 }, { size: 10, lines: 1, color: theme.muted, valign: 'middle' });
}

/** Audience: three people, drawn as cards or as rows with what to say to them. */
export function addAudience(deck: Deck): void {
  const page = createPage(deck.pptx, deck.theme);
  const { theme, copy } = deck;
  dress(page, deck.heading(deck.label('audience'), 'TARGET AUDIENCE'));
  const { audiences } = copy.industry;
  const cards = deck.look % 2 === 1;
  audiences.forEach((person, i) => {
    const colour = accent(theme, i);
    const answer = at(copy.highlights, i);
    if (cards) {
      const x = 0.8 + i * 4.01;
      page.panel({ x, y: 1.85, w: 3.71, h: 4.75 }, theme.surface);
      page.dot(x + 0.3, 2.15, 1.0, colour.fill);
      page.text(
        [...person.title][0] ?? '',
        { x: x + 0.3, y: 2.15, w: 1.0, h: 1.0 },
        { size: 30, display: true, color: colour.on, align: 'center', valign: 'middle' },
      );
      page.text(
        person.title,
        { x: x + 1.5, y: 2.15, w: 2.06, h: 1.0 },
        { size: 20, min: 14, lines: 2, display: true, valign: 'middle' },
      );
      page.text(
        person.text,
        { x: x + 0.3, y: 3.4, w: 3.12, h: 1.4 },
        { size: 17, min: 12, color: theme.muted, leading: 1.15 },
      );
      page.bar({ x: x + 0.3, y: 4.92, w: 3.1, h: 0.015 }, theme.line);
      page.text(
        '我们给他',
        { x: x + 0.3, y: 5.06, w: 3.1, h: 0.3 },
        { size: 11.5, color: colour.text, bold: true, valign: 'middle' },
      );
      page.text(
        answer.title,
        { x: x + 0.3, y: 5.42, w: 3.12, h: 0.6 },
        { size: 17, min: 12, lines: 1, display: true, valign: 'middle' },
      );
      return;
    }
    const y = 1.9 + i * 1.58;
    page.panel({ x: 0.8, y, w: 11.73, h: 1.38 }, theme.surface);
    page.panel({ x: 0.8, y, w: 2.75, h: 1.38 }, colour.fill);
    page.text(
      person.title,
      { x: 0.98, y: y + 0.1, w: 2.39, h: 1.18 },
      { size: 20, min: 13, lines: 2, display: true, color: colour.on, align: 'center', valign: 'middle' },
    );
    page.text(
      person.text,
      { x: 3.85, y: y + 0.1, w: 4.9, h: 1.18 },
      { size: 17, min: 12, color: theme.ink, valign: 'middle', leading: 1.12 },
    );
    page.text(
      '对应动作',
      { x: 9.15, y: y + 0.24, w: 3.1, h: 0.3 },
      { size: 11.5, bold: true, color: colour.text, valign: 'middle' },
    );
    page.text(
      answer.title,
      { x: 9.15, y: y + 0.58, w: 3.15, h: 0.5 },
      { size: 16, min: 11, lines: 1, display: true, valign: 'middle' },
    );
  });
}

/** Strategy: four pillars as columns, as a square, or as steps. */
export function addStrategy(deck: Deck): void {
  const page = createPage(deck.pptx, deck.theme);
  const { theme, copy } = deck;
  dress(page, deck.heading(deck.label('strategy'), 'STRATEGY'));
  const form = (deck.look + copy.index) % 3;
  if (form === 0) addBand(page, deck);
  copy.play.strategy.forEach((pillar, i) => {
    const colour = accent(theme, i);
    if (form === 0) {
      const x = 0.8 + i * 3.0;
      page.panel({ x, y: 1.95, w: 2.73, h: 3.55 }, theme.surface, { square: true });
      page.bar({ x, y: 1.95, w: 2.73, h: 0.12 }, colour.fill);
      page.text(
        String(i + 1).padStart(2, '0'),
        { x: x + 0.28, y: 2.2, w: 1.6, h: 0.85 },
        { size: 42, display: true, color: colour.text, valign: 'middle' },
      );
      page.text(
        pillar.title,
        { x: x + 0.28, y: 3.15, w: 2.2, h: 0.5 },
        { size: 22, min: 14, lines: 1, display: true, valign: 'middle' },
      );
      page.text(
        pillar.text,
        { x: x + 0.28, y: 3.74, w: 2.2, h: 1.65 },
        { size: 17, min: 12, color: theme.muted, leading: 1.2 },
      );
    } else if (form === 1) {
      const x = 0.8 + (i % 2) * 6.0;
      const y = 1.9 + Math.floor(i / 2) * 2.4;
      const lead = i === 0;
      page.panel({ x, y, w: 5.73, h: 2.15 }, lead ? colour.fill : theme.surface);
      page.text(
        pillar.title,
        { x: x + 0.35, y: y + 0.26, w: 4.0, h: 0.55 },
        { size: 23, min: 16, lines: 1, display: true, color: lead ? colour.on : theme.ink, valign: 'middle' },
      );
      page.text(
        String(i + 1),
        { x: x + 4.55, y: y + 0.16, w: 0.85, h: 0.8 },
        { size: 36, display: true, color: lead ? colour.on : colour.text, align: 'right', valign: 'middle' },
      );
      page.text(
        pillar.text,
        { x: x + 0.35, y: y + 0.98, w: 5.0, h: 0.95 },
        { size: 18, min: 12, color: lead ? colour.on : theme.muted, leading: 1.12 },
      );
    } else {
      const x = 0.8 + i * 0.62;
      const y = 1.9 + i * 1.2;
      page.panel({ x, y, w: 11.73 - i * 0.62, h: 1.05 }, theme.surface);
      page.panel({ x, y, w: 1.05, h: 1.05 }, colour.fill);
      page.text(
        String(i + 1),
        { x, y, w: 1.05, h: 1.05 },
        { size: 30, display: true, color: colour.on, align: 'center', valign: 'middle' },
      );
      page.text(
        pillar.title,
        { x: x + 1.35, y, w: 2.35, h: 1.05 },
        { size: 20, min: 14, lines: 1, display: true, valign: 'middle' },
      );
      page.text(
        pillar.text,
        { x: x + 3.75, y: y + 0.08, w: 7.8 - i * 0.62, h: 0.89 },
        { size: 17, min: 12, lines: 2, color: theme.muted, valign: 'middle' },
      );
    }
  });
}

/** One sentence to carry away, on a full-width band under the columns. */
function addBand(page: Page, deck: Deck): void {
  const { theme, copy } = deck;
  page.panel({ x: 0.8, y: 5.72, w: 11.73, h: 0.95 }, accent(theme, 0).fill, { square: true });
  page.text(
    `「${copy.slogan}」　${copy.tagline}`,
    { x: 1.1, y: 5.72, w: 11.13, h: 0.95 },
    { size: 21, min: 14, lines: 1, display: true, color: accent(theme, 0).on, align: 'center', valign: 'middle' },
  );
}

/** Highlights: three picture cards, or a tall picture beside three numbered ideas. */
export function addHighlights(deck: Deck): void {
  const page = createPage(deck.pptx, deck.theme);
  const { theme, copy } = deck;
  dress(page, deck.heading(deck.label('highlights'), 'HIGHLIGHTS'));
  const cards = deck.look % 3 !== 2;
  if (!cards) page.picture(at(deck.scenePaths, 0), { x: 0.8, y: 1.85, w: 5.2, h: 3.25 });
  if (!cards) {
    page.picture(at(deck.scenePaths, 1), { x: 0.8, y: 5.2, w: 2.55, h: 1.55 });
    page.picture(at(deck.scenePaths, 2), { x: 3.45, y: 5.2, w: 2.55, h: 1.55 });
  }
  copy.highlights.forEach((highlight, i) => {
    const colour = accent(theme, i);
    if (cards) {
      const x = 0.8 + i * 4.01;
      page.panel({ x, y: 1.85, w: 3.71, h: 4.75 }, theme.surface, { square: true });
      page.picture(at(deck.scenePaths, i), { x, y: 1.85, w: 3.71, h: 2.32 });
      page.bar({ x, y: 4.17, w: 3.71, h: 0.07 }, colour.fill);
      page.text(
        highlight.title,
        { x: x + 0.28, y: 4.42, w: 3.15, h: 0.52 },
        { size: 22, min: 15, lines: 1, display: true, color: theme.ink, valign: 'middle' },
      );
      page.text(
        highlight.text,
        { x: x + 0.28, y: 5.02, w: 3.15, h: 1.45 },
        { size: 16.5, min: 11, color: theme.muted, leading: 1.18 },
      );
      return;
    }
    const y = 1.85 + i * 1.66;
    page.text(
      String(i + 1).padStart(2, '0'),
      { x: 6.45, y, w: 1.05, h: 0.9 },
      { size: 38, display: true, color: colour.text, valign: 'middle' },
    );
    page.text(
      highlight.title,
      { x: 7.6, y: y + 0.04, w: 4.9, h: 0.5 },
      { size: 21, min: 15, lines: 1, display: true, valign: 'middle' },
    );
    page.text(
      highlight.text,
      { x: 7.6, y: y + 0.58, w: 4.9, h: 0.9 },
      { size: 17, min: 12, color: theme.muted, leading: 1.12 },
    );
    if (i < 2) page.bar({ x: 6.45, y: y + 1.52, w: 6.08, h: 0.012 }, theme.line);
  });
}
