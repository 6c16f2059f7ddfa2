import type { ReactNode } from 'react';

/**
 * Line icons in the colour of the text beside them. Decorative: name the control that holds them. Every page loads the icons of this file; tool-icons.tsx has those of
 * viewers, dialogs and single pages.
 */
export function Icon({ size = 20, children }: { size?: number | undefined; children: ReactNode }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}

export type Size = { size?: number };

export const SearchIcon = ({ size }: Size) => (
  <Icon size={size}>
    <circle cx="10.5" cy="10.5" r="6.5" />
    <path d="m15.5 15.5 5 5" />
  </Icon>
);
export const CloseIcon = ({ size }: Size) => (
  <Icon size={size}>
    <path d="M6 6l12 12M18 6 6 18" />
  </Icon>
);
export const ArrowUpIcon = ({ size }: Size) => (
  <Icon size={size}>
    <path d="M12 20V5M5.5 11.5 12 5l6.5 6.5" />
  </Icon>
);
export const HomeIcon = ({ size }: Size) => (
  <Icon size={size}>
    <path d="m4 11 8-7 8 7v8.5a.5.5 0 0 1-.5.5H15v-6H9v6H4.500a.5.5 0 0 1-.5-.5z" />
  </Icon>
);
export const CrownIcon = ({ size }: Size) => (
  <Icon size={size}>
    <path d="M4 8.500 8 12l4-6.500L16 12l4-3.500L18.500 18h-13z" />
  </Icon>
);
export const CheckIcon = ({ size }: Size) => (
  <Icon size={size}>
    <path d="m5 12.500 4.500 4.500L19 7.500" />
  </Icon>
);
export const ChevronLeftIcon = ({ size }: Size) => (
  <Icon size={size}>
    <path d="m14.500 6-6 6 6 6" />
  </Icon>
);
export const ChevronRightIcon = ({ size }: Size) => (
  <Icon size={size}>
    <path d="m9.500 6 6 6-6 6" />
  </Icon>
);
export const ChevronDownIcon = ({ size }: Size) => (
  <Icon size={size}>
    <path d="m6 9.500 6 6 6-6" />
  </Icon>
);
export const GridIcon = ({ size }: Size) => (
  <Icon size={size}>
    <rect x="4" y="4" width="6.500" height="6.500" rx="1" />
    <rect x="13.500" y="4" width="6.500" height="6.500" rx="1" />
    <rect x="4" y="13.500" width="6.500" height="6.500" rx="1" />
    <rect x="13.500" y="13.500" width="6.500" height="6.500" rx="1" />
  </Icon>
);
export const ListIcon = ({ size }: Size) => (
  <Icon size={size}>
    <path d="M4 6h16M4 12h16M4 18h16" />
  </Icon>
);
export const FilterIcon = ({ size }: Size) => (
  <Icon size={size}>
    <path d="M4 7h9M18.500 7H20M4 17h2.500M12 17h8" />
    <circle cx="15.500" cy="7" r="2.500" />
    <circle cx="9" cy="17" r="2.500" />
  </Icon>
);
export const PhoneIcon = ({ size }: Size) => (
  <Icon size={size}>
    <rect x="7" y="3" width="10" height="18" rx="2" />
    <path d="M11 17.500h2" />
  </Icon>
);
/** Two persons. */
export const GroupIcon = ({ size }: Size) => (
  <Icon size={size}>
    <circle cx="9" cy="8.500" r="3.500" />
    <path d="M2.500 19.500a6.500 6.500 0 0 1 13 0M15.500 5.300a3.500 3.500 0 0 1 0 6.400M18 14a6.500 6.500 0 0 1 3.500 5.500" />
  </Icon>
);
export const StarIcon = ({ size, isFilled }: Size & { isFilled?: boolean }) => (
  <Icon size={size}>
    <path
      d="m12 3.800 2.550 5.170 5.700.830-4.130 4.020.980 5.680L12 16.820 6.900 19.500l.980-5.680L3.750 9.800l5.700-.830z"
      fill={isFilled ? 'currentColor' : 'none'}
    />
  </Icon>
);
