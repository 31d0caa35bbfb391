import { StateDot } from '../mark/dot.tsx';
import { useSeen } from '../state/presence.ts';

/** State dot of an agent; renders nothing for people and for agents with an unknown state. */
export function PersonDot({ slug, size = 11 }: { slug: string; size?: number }) {
  const seen = useSeen(slug);
  if (seen === null) return null;
  return (
    <span className="person-dot" title={seen.words}>
      <StateDot state={seen.dot} size={size} label={seen.words} />
    </span>
  );
}
