import { useMemo } from 'react';
import { encode } from 'uqr';

/** Draws a QR code of `text`. `label` names it for screen readers. */
export function QrCode({ text, label, className }: { text: string; label: string; className?: string | undefined }) {
  const { size, path } = useMemo(() => {
    const { data, size: modules } = encode(text, { border: 2, ecc: 'M' });
    const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
    return { size: modules, path: squares.join('') };
  }, [text]);
  return (
    <svg className={className} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#1c1b19" shapeRendering="crispEdges" />
    </svg>
  );
}
