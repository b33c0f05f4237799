// A QR code as one path of an SVG. Always dark on white, with its quiet zone: that is what a camera reads in dark mode too.
import { useMemo } from 'react';
import { qrModules } from './qr.ts';

const QUIET = 3;

export function QrCode({
  text,
  label,
  size,
  className,
}: {
  text: string;
  label: string;
  size: number;
  className?: string;
}) {
  const { path, side } = useMemo(() => {
    const modules = qrModules(text);
    const cells = modules.flatMap((row, y) =>
      row.flatMap((dark, x) => (dark ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : [])),
    );
    return { path: cells.join(''), side: modules.length + QUIET * 2 };
  }, [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      width={size}
      height={size}
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
      className={className}
    >
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
