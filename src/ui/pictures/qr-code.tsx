import { useMemo } from 'react';
import { encode } from 'uqr';

/**
 * Draws a QR code of `text`. `label` names it for screen readers. `hasMark`: something covers the middle of the code, which then has
 * error correction of a quarter.
 */
export function QrCode(props: { text: string; label: string; className?: string | undefined; hasMark?: boolean }) {
  const { text, label, className, hasMark = false } = props;
  const { size, path } = useMemo(() => {
    const { data, size: modules } = encode(text, { border: 2, ecc: hasMark ? 'Q' : 'M' });
    const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
    return { size: modules, path: squares.join('') };
  }, [text, hasMark]);
  return (
    <svg className={className} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#1c1b19" shapeRendering="crispEdges" />
    </svg>
  );
}
