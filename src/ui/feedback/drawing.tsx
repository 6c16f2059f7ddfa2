import type { ReactNode } from 'react';

/**
 * Names of the drawings: `shelf` an empty archive box, `search` a sheet under a lens, `broken` a torn sheet, `lock` a
 * tied folder, `offline` a loose plug.
 */
export type DrawingName = 'shelf' | 'search' | 'broken' | 'lock' | 'offline';

/** A line drawing with one red stroke. Decorative. */
export function Drawing({ name }: { name: DrawingName }) {
  return (
    <svg
      width="144"
      height="108"
      viewBox="0 0 144 108"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {DRAWINGS[name]}
    </svg>
  );
}

const RED = 'var(--seal)';

const DRAWINGS: Record<DrawingName, ReactNode> = {
  shelf: (
    <>
      <path d="M28 46h88v44a4 4 0 0 1-4 4H32a4 4 0 0 1-4-4z" />
      <path d="M22 30h100v16H22z" />
      <path d="M60 66h24v10H60z" />
      <path d="M12 94h12m96 0h14" />
      <path d="M66 71h12" stroke={RED} strokeWidth="3" />
    </>
  ),
  search: (
    <>
      <path d="M36 16h50l16 16v22M36 16v76h32" />
      <path d="M86 16v16h16" />
      <path d="M50 40h28M50 54h18M50 68h12" />
      <circle cx="90" cy="72" r="17" />
      <path d="m102 85 13 13" stroke={RED} strokeWidth="3" />
    </>
  ),
  broken: (
    <>
      <path d="M40 14h44l18 18v16l-14 8-12-8-14 10-12-8-10 6z" />
      <path d="M84 14v18h18" />
      <path d="m40 68 10-6 12 8 14-10 12 8 14-8v30a4 4 0 0 1-4 4H44a4 4 0 0 1-4-4z" />
      <path d="M54 82h24" stroke={RED} strokeWidth="3" />
    </>
  ),
  lock: (
    <>
      <path d="M26 28a4 4 0 0 1 4-4h28l8 10h48a4 4 0 0 1 4 4v50a4 4 0 0 1-4 4H30a4 4 0 0 1-4-4z" />
      <path d="M26 58h34m24 0h34" />
      <rect x="60" y="50" width="24" height="18" rx="3" stroke={RED} strokeWidth="3" />
      <path d="M65 50v-4a7 7 0 0 1 14 0v4" stroke={RED} strokeWidth="3" />
    </>
  ),
  offline: (
    <>
      <path d="M10 56h30M40 40v32h12a16 16 0 0 0 0-32zM68 48h10M68 64h10" />
      <path d="M134 56h-20M114 40v32h-10a16 16 0 0 1 0-32z" />
      <path d="m80 84 8-10m2 14 10-6" stroke={RED} strokeWidth="3" />
    </>
  ),
};
