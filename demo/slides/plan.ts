import { accent, createPage, dress, type Page } from '../page.ts';
import { at } from '../random.ts';
import type { Deck } from '../deck.ts';
import { addGrid } from './grid.ts';

const PLAN_BOXES = [
  { x: 0.8, y: 1.9, w: 1.65, h: 2.2 },
  { x: 2.55, y: 1.9, w: 3.6, h: 2.95 },
  { x: 0.8, y: 4.2, w: 1.65, h: 2.45 },
  { x: 2.55, y: 4.95, w: 2.15, h: 1.7 },
  { x: 4.8, y: 4.95, w: 1.35, h: 1.7 },
];

/** Space: a block plan with a legend, or a route of five stops. */
export function addSpace(deck: Deck): void {
  const page = createPage(deck.pptx, deck.theme);
  const { theme, copy } = deck;
  dress(page, deck.heading(deck.label('space'), 'SPACE & TOUCHPOINTS'));
  const zones = copy.play.zones;
  if (deck.look % 2 === 0) {
    zones.forEach((zone, i) => {
      const colour = accent(theme, i);
      const box = at(PLAN_BOXES, i);
      page.panel(box, i === 1 ? colour.fill : theme.surface, { outline: colour.fill });
      page.text(
        String.fromCharCode(65 + i),
        { ...box, h: box.h * 0.55 },
        {
          size: i === 1 ? 48 : 28,
          display: true,
          color: i === 1 ? colour.on : colour.text,
          align: 'center',
          valign: 'bottom',
        },
      );
      page.text(
        zone.title,
        { x: box.x + 0.06, y: box.y + box.h * 0.57, w: box.w - 0.12, h: 0.36 },
        { size: 14, min: 9, lines: 1, color: i === 1 ? colour.on : theme.ink, align: 'center', valign: 'middle' },
      );
      const y = 1.9 + i * 0.97;
      page.dot(6.75, y + 0.16, 0.5, colour.fill);
      page.text(
        String.fromCharCode(65 + i),
        { x: 6.75, y: y + 0.16, w: 0.5, h: 0.5 },
        { size: 15, display: true, color: colour.on, align: 'center', valign: 'middle' },
      );
      page.text(
        zone.title,
        { x: 7.5, y: y + 0.02, w: 5.0, h: 0.4 },
        { size: 17, min: 13, lines: 1, display: true, valign: 'middle' },
      );
      page.text(
        zone.text,
        { x: 7.5, y: y + 0.44, w: 5.0, h: 0.4 },
        { size: 15, min: 10, lines: 1, color: theme.muted, valign: 'middle' },
      );
    });
    return;
  }
  page.bar({ x: 1.4, y: 3.08, w: 10.5, h: 0.05 }, theme.line);
  zones.forEach((zone, i) => {
    const colour = accent(theme, i);
    const x = 0.8 + i * 2.37;
    page.dot(x + 0.6, 2.55, 1.06, colour.fill);
    page.text(
      String(i + 1),
      { x: x + 0.6, y: 2.55, w: 1.06, h: 1.06 },
      { size: 32, display: true, color: colour.on, align: 'center', valign: 'middle' },
    );
    page.panel({ x, y: 4.0, w: 2.25, h: 2.2 }, theme.surface);
    page.text(
      zone.title,
      { x: x + 0.15, y: 4.18, w: 1.95, h: 0.5 },
      { size: 18, min: 12, lines: 1, display: true, align: 'center', valign: 'middle' },
    );
    page.text(
      zone.text,
      { x: x + 0.2, y: 4.78, w: 1.85, h: 1.25 },
      { size: 15.5, min: 11, color: theme.muted, align: 'center', leading: 1.15 },
    );
  });
}

/** Timeline: milestones on a line, a gantt grid, or a table. */
export function addTimeline(deck: Deck): void {
  const page = createPage(deck.pptx, deck.theme);
  dress(page, deck.heading(deck.label('timeline'), 'TIMELINE'));
  TIMELINES[(deck.look + deck.copy.index * 2) % 3]?.(page, deck);
}

const TIMELINES: ((page: Page, deck: Deck) => void)[] = [
  (page, deck) => {
    const { theme, copy } = deck;
    page.bar({ x: 0.8, y: 2.86, w: 11.73, h: 0.06 }, theme.line);
    copy.play.timeline.forEach((step, i) => {
      const colour = accent(theme, i);
      const x = 0.8 + i * 1.98;
      page.text(
        step.when,
        { x, y: 1.98, w: 1.83, h: 0.6 },
        { size: 24, min: 15, lines: 1, display: true, color: colour.text, valign: 'bottom' },
      );
      page.dot(x, 2.72, 0.34, colour.fill);
      page.panel({ x, y: 3.35, w: 1.83, h: 3.0 }, theme.surface);
      page.bar({ x: x + 0.2, y: 3.62, w: 0.42, h: 0.06 }, colour.fill);
      page.text(
        step.phase,
        { x: x + 0.2, y: 3.8, w: 1.45, h: 0.52 },
        { size: 22, min: 14, lines: 1, display: true, valign: 'middle' },
      );
      page.text(
        step.work,
        { x: x + 0.2, y: 4.42, w: 1.46, h: 1.8 },
        { size: 15, min: 11, color: theme.muted, leading: 1.18 },
      );
    });
  },
  (page, deck) => {
    const { theme, copy } = deck;
    const steps = copy.play.timeline;
    steps.forEach((step, i) => {
      const y = 2.3 + i * 0.74;
      page.text(
        step.when,
        { x: 5.05 + i * 1.25, y: 1.85, w: 1.2, h: 0.36 },
        { size: 12.5, min: 8, lines: 1, color: theme.muted, align: 'center', valign: 'middle' },
      );
      page.bar({ x: 0.8, y: y + 0.68, w: 11.73, h: 0.01 }, theme.line);
      page.text(
        step.phase,
        { x: 0.8, y, w: 1.05, h: 0.66 },
        { size: 17, min: 11, lines: 1, display: true, valign: 'middle' },
      );
      page.text(
        step.work,
        { x: 1.9, y, w: 3.0, h: 0.66 },
        { size: 12.5, min: 9, lines: 2, color: theme.muted, valign: 'middle' },
      );
      const from = Math.max(0, i - (i % 2));
      const span = i === steps.length - 1 ? 1 : 1 + ((i + 1) % 2) + (i === 2 ? 1 : 0);
      page.panel(
        { x: 5.05 + from * 1.25, y: y + 0.15, w: Math.min(span, 6 - from) * 1.25 - 0.06, h: 0.36 },
        accent(theme, i).fill,
      );
    });
  },
  (page, deck) => {
    const rows = deck.copy.play.timeline.map((step) => [step.when, step.phase, step.work]);
    addGrid(page, { head: ['时间', '阶段', '关键动作与交付'], rows, widths: [1.8, 2.2, 7.73], rowHeight: 0.64 });
  },
];

/** Communication: a table, or four columns with a goal in each. */
export function addCommunication(deck: Deck): void {
  const page = createPage(deck.pptx, deck.theme);
  const { theme, copy } = deck;
  dress(page, deck.heading(deck.label('communication'), 'COMMUNICATION'));
  const channels = copy.play.channels;
  if (deck.look % 2 === 1) {
    const rows = channels.map((row) => [row.phase, row.channel, row.content, row.goal]);
    addGrid(page, { head: ['阶段', '阵地', '内容', '目标'], rows, widths: [1.8, 2.7, 4.4, 2.83], rowHeight: 0.86 });
    return;
  }
  channels.forEach((row, i) => {
    const colour = accent(theme, i);
    const x = 0.8 + i * 3.0;
    page.slide.addShape(theme.legacy ? 'rect' : 'homePlate', {
      x,
      y: 1.95,
      w: 2.85,
      h: 0.72,
      fill: { color: colour.fill },
      line: { type: 'none' },
    });
    page.text(
      row.phase,
      { x: x + 0.22, y: 1.95, w: 2.2, h: 0.72 },
      { size: 18, min: 13, lines: 1, display: true, color: colour.on, valign: 'middle' },
    );
    page.panel({ x, y: 2.85, w: 2.73, h: 3.75 }, theme.surface);
    page.text(
      row.channel,
      { x: x + 0.26, y: 3.1, w: 2.21, h: 0.46 },
      { size: 18, min: 12, lines: 1, display: true, valign: 'middle' },
    );
    page.text(
      row.content,
      { x: x + 0.26, y: 3.66, w: 2.21, h: 1.3 },
      { size: 17, min: 12, color: theme.muted, leading: 1.15 },
    );
    page.bar({ x: x + 0.26, y: 5.1, w: 2.2, h: 0.015 }, theme.line);
    page.text(
      '目标',
      { x: x + 0.26, y: 5.22, w: 2.2, h: 0.3 },
      { size: 11, bold: true, color: colour.text, valign: 'middle' },
    );
    page.text(row.goal, { x: x + 0.26, y: 5.54, w: 2.21, h: 0.8 }, { size: 16, min: 12, lines: 2, display: true });
  });
}

const ROLES = [
  ['项目总控', '对结果与预算负责，每周一次三方例会'],
  ['策略创意', '概念、文案与主视觉，全程把关一致性'],
  ['执行制作', '场地、搭建、报批与供应商，现场总调度'],
  ['传播媒介', '内容排期、达人与媒体，日报与复盘'],
] as const;

const RISKS = [
  ['天气与场地', '室内备选场地与雨备物料提前签约，T-2 日定案'],
  ['人流与安全', '分时预约、单向动线、医疗点五分钟可达'],
  ['舆情与版权', '素材授权清单、评论值守与两小时回应机制'],
  ['供应与交付', '关键物料双供应商，进场前一比一验收'],
] as const;

/** Team and risks: who does it, and what happens when it goes wrong. */
export function addTeam(deck: Deck): void {
  const page = createPage(deck.pptx, deck.theme);
  const { theme } = deck;
  dress(page, deck.heading('团队分工与风险预案', 'TEAM & RISK'));
  ROLES.forEach(([role, text], i) => {
    const colour = accent(theme, i);
    const y = 1.95 + i * 1.18;
    page.panel({ x: 0.8, y, w: 5.6, h: 1.02 }, theme.surface);
    page.bar({ x: 0.8, y, w: 0.1, h: 1.02 }, colour.fill);
    page.text(role, { x: 1.15, y, w: 1.6, h: 1.02 }, { size: 18, min: 13, lines: 1, display: true, valign: 'middle' });
    page.text(
      text,
      { x: 2.8, y: y + 0.05, w: 3.4, h: 0.92 },
      { size: 14.5, min: 10, lines: 2, color: theme.muted, valign: 'middle' },
    );
  });
  RISKS.forEach(([risk, text], i) => {
    const colour = accent(theme, i);
    const y = 1.95 + i * 1.18;
    page.dot(6.95, y + 0.36, 0.3, colour.fill);
    page.text(
      risk,
      { x: 7.5, y: y + 0.02, w: 5.0, h: 0.44 },
      { size: 17, min: 13, lines: 1, display: true, valign: 'middle' },
    );
    page.text(
      text,
      { x: 7.5, y: y + 0.48, w: 5.0, h: 0.52 },
      { size: 15, min: 9.5, lines: 1, color: theme.muted, valign: 'middle' },
    );
  });
}
