import { StateDot } from '../mark/dot.tsx';
import { useSeen } from '../state/presence.ts';

/** The state of an agent beside its name; nothing for people, and for agents nobody knows anything of. */
export function PersonDot({ slug, size = 11 }: { slug: string; size?: number }) {
  const seen = useSeen(slug);
  if (seen === null) return null;
  return (
    <span className="person-dot" title={seen.words}>
      <StateDot state={seen.dot} size={size} label={seen.words} />
    </span>
  );
}
