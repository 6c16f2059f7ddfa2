import { notPermitted } from '../protocol/envelope.ts';

/** The colours of logos, each dark enough for white characters (5:1 at least). */
export const MARK_COLORS = ['#c8371f', '#1f6b5c', '#20504f', '#8a5e0c', '#3d4a7a', '#7a3d5c', '#4a4640'] as const;

/** A mark has one or two characters, which fill the square. */
export const MAX_MARK_CHARACTERS = 2;

const escaped: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** Returns the logo of a group as a data URL: its mark in white on its colour, a square of 96. */
export function logoOf({ mark, color }: { mark: string; color: string }): string {
  const size = [...mark].length > 1 ? 34 : 46;
  const words = mark.replace(/[&<>"']/g, (character) => escaped[character] ?? '');
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96">` +
    `<rect width="96" height="96" fill="${color}"/><text x="48" y="50" fill="#fff" font-size="${size}" font-weight="700" ` +
    `font-family="PingFang SC,Microsoft YaHei,Noto Sans CJK SC,sans-serif" text-anchor="middle" ` +
    `dominant-baseline="central">${words}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** Paying members join free of charge; other users may not join (C-44). */
export const membersOnly = () => notPermitted('开通会员后可免费加入社群');

/** Only members of a group use its shelf (C-88). */
export const notInGroup = () => notPermitted('请先加入该社群');
