import type { Dot } from '../../contract/model.ts';
import { dotWords } from '../format/states.ts';

/** Five shapes around (cx, cy); the shape tells the state without its colour. */
export function DotShape({ state, cx, cy, r }: { state: Dot; cx: number; cy: number; r: number }) {
  switch (state) {
    case 'idle':
      return <circle cx={cx} cy={cy} r={r} className="dot-line" />;
    case 'working':
      return <circle cx={cx} cy={cy} r={r + 0.6} className="dot-fill breathe" />;
    case 'needs_you':
      return (
        <>
          <circle cx={cx} cy={cy} r={r + 0.4} className="dot-line dot-heavy" />
          <circle cx={cx} cy={cy} r={r * 0.38} className="dot-fill" />
        </>
      );
    case 'error': {
      const d = r * 0.85;
      return (
        <path
          d={`M${cx - d} ${cy - d}L${cx + d} ${cy + d}M${cx + d} ${cy - d}L${cx - d} ${cy + d}`}
          className="dot-line dot-heavy"
        />
      );
    }
    case 'offline':
      return <circle cx={cx} cy={cy} r={r} className="dot-line dot-dashed" />;
  }
}

/** State of an agent as a dot. Pass an empty label if text beside it says the state. */
export function StateDot({ state, size = 14, label }: { state: Dot; size?: number; label?: string }) {
  const words = label ?? dotWords(state);
  const frame = { className: `state-dot is-${state}`, width: size, height: size, viewBox: '0 0 14 14' };
  const shape = <DotShape state={state} cx={7} cy={7} r={4.4} />;
  if (words === '')
    return (
      <svg {...frame} aria-hidden="true">
        {shape}
      </svg>
    );
  return (
    <svg {...frame} role="img" aria-label={words}>
      {shape}
    </svg>
  );
}
