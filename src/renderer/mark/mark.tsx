import type { Dot } from '../../contract/model.ts';
import { DotShape } from './dot.tsx';

/** Logo with a state dot. It is hidden from screen readers, so text beside it has to say the state. */
export function Mark({ state, size = 24 }: { state: Dot; size?: number }) {
  return (
    <svg className={`mark is-${state}`} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path className="mark-roof" d="M3 11.2 12 4l9 7.2" />
      <DotShape state={state} cx={12} cy={16.4} r={3.9} />
    </svg>
  );
}
