import { Icon, type Size } from './icons.tsx';

export const CopyIcon = ({ size }: Size) => (
  <Icon size={size}>
    <rect x="9" y="9" width="11" height="11" rx="2" />
    <path d="M15 5.500V5a1.500 1.500 0 0 0-1.500-1.500h-8A1.500 1.500 0 0 0 4 5v8a1.500 1.500 0 0 0 1.500 1.500H6" />
  </Icon>
);
export const LockIcon = ({ size }: Size) => (
  <Icon size={size}>
    <rect x="5" y="10.500" width="14" height="9.500" rx="2" />
    <path d="M8.500 10.500V8a3.500 3.500 0 0 1 7 0v2.500" />
  </Icon>
);
export const RefreshIcon = ({ size }: Size) => (
  <Icon size={size}>
    <path d="M19.500 12a7.500 7.500 0 1 1-2.200-5.300L20 9.200M20 4v5.200h-5.200" />
  </Icon>
);
export const PlusIcon = ({ size }: Size) => (
  <Icon size={size}>
    <path d="M12 5v14M5 12h14" />
  </Icon>
);
export const MinusIcon = ({ size }: Size) => (
  <Icon size={size}>
    <path d="M5 12h14" />
  </Icon>
);
/** A phone that is turned on its side. */
export const RotateIcon = ({ size }: Size) => (
  <Icon size={size}>
    <rect x="2.500" y="11.500" width="15" height="9" rx="1.500" />
    <path d="M10.500 3.500a8 8 0 0 1 8.500 7M16.500 8.500l2.500 2.500 2.500-2.500" />
  </Icon>
);
export const ShareIcon = ({ size }: Size) => (
  <Icon size={size}>
    <path d="M12 15V4M7.500 8 12 3.500 16.500 8M5 13v5.500a1.500 1.500 0 0 0 1.500 1.500h11a1.500 1.500 0 0 0 1.500-1.500V13" />
  </Icon>
);
export const DownloadIcon = ({ size }: Size) => (
  <Icon size={size}>
    <path d="M12 4v11M7.500 11 12 15.500 16.500 11M5 19.500h14" />
  </Icon>
);
/** Columns over an axis. */
export const ChartIcon = ({ size }: Size) => (
  <Icon size={size}>
    <path d="M4 20h16M7 16.500v-5M12 16.500v-10M17 16.500v-7.500" />
  </Icon>
);
export const MoreIcon = ({ size }: Size) => (
  <Icon size={size}>
    <path d="M5.500 12h.01M12 12h.01M18.500 12h.01" strokeWidth="2.800" />
  </Icon>
);
/** A screen on a stand that shows a page. */
export const PresentIcon = ({ size }: Size) => (
  <Icon size={size}>
    <path d="M3.500 5h17M5 5v10.500h14V5M12 15.500V18M8.500 20.500 12 18l3.500 2.500M10.500 8v4.500l4-2.250z" />
  </Icon>
);
export const FullScreenIcon = ({ size }: Size) => (
  <Icon size={size}>
    <path d="M4 9V4.500h4.500M15.500 4.500H20V9M20 15v4.500h-4.500M8.500 19.500H4V15" />
  </Icon>
);
export const KeyboardIcon = ({ size }: Size) => (
  <Icon size={size}>
    <rect x="2.500" y="6" width="19" height="12" rx="2" />
    <path d="M6.500 10h.01M10.200 10h.01M13.800 10h.01M17.500 10h.01M8 14h8" />
  </Icon>
);
/** Two pages side by side. */
export const CompareIcon = ({ size }: Size) => (
  <Icon size={size}>
    <rect x="3" y="5" width="7.500" height="14" rx="1" />
    <rect x="13.500" y="5" width="7.500" height="14" rx="1" />
  </Icon>
);
export const FolderIcon = ({ size }: Size) => (
  <Icon size={size}>
    <path d="M3.500 7a1.500 1.500 0 0 1 1.500-1.500h4.500l2 2.500H19A1.500 1.500 0 0 1 20.500 9.500V17a1.500 1.500 0 0 1-1.500 1.500H5A1.500 1.500 0 0 1 3.500 17z" />
  </Icon>
);
/** A dustbin: deletes a row. */
export const DeleteIcon = ({ size }: Size) => (
  <Icon size={size}>
    <path d="M4.500 6.500h15M9.500 6.500V4.500h5v2M6.500 6.500l.800 13h9.400l.800-13M10.200 10.500v5.500M13.800 10.500v5.500" />
  </Icon>
);
/** `isCrossed`: what is shown can be hidden. */
export const EyeIcon = ({ size, isCrossed }: Size & { isCrossed?: boolean }) => (
  <Icon size={size}>
    <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" />
    <circle cx="12" cy="12" r="3" />
    {isCrossed && <path d="m4 4 16 16" />}
  </Icon>
);
