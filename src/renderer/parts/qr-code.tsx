import { generate } from 'lean-qr';
import { useMemo } from 'react';

/** Light border around the code in modules (ISO 18004). */
const quiet = 4;

/** QR code with dark modules on white in every theme, because scanners expect that. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const code = generate(text);
    let lines = '';
    for (let y = 0; y < code.size; y += 1)
      for (let x = 0; x < code.size; x += 1)
        if (code.get(x, y)) lines += `M${x + quiet} ${y + quiet}h1v1h-1z`;
    return { size: code.size + 2 * quiet, path: lines };
  }, [text]);
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
