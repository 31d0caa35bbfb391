/** A part of the page in a file of its own: loaded when it is first wanted, or sooner, while nobody waits for it. */
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import type { WaitingOf } from './waiting.tsx';

export interface LatePart<Props> {
  (props: Props): ReactNode;
  /** Drawn at once from then on. A failure is not remembered: whoever wants the part tries again. */
  prefetch(): Promise<void>;
}

/**
 * `Waiting` keeps its room meanwhile. Not `lazy` and `Suspense`: React holds whatever follows a fallback back for 300 ms,
 * and shows one for a moment even where the part is there already.
 */
export function latePart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Waiting: ComponentType<WaitingOf>,
): LatePart<Props> {
  let part: ComponentType<Props> | null = null;
  const prefetch = async (): Promise<void> => {
    part ??= await load();
  };
  function Late(props: Props): ReactNode {
    const [state, setState] = useState<'coming' | 'here' | 'missing'>('coming');
    useEffect(() => {
      prefetch().then(
        () => setState('here'),
        () => setState('missing'),
      );
    }, []);
    const Part = part;
    if (Part !== null) return <Part {...props} />;
    return <Waiting missing={state === 'missing'} />;
  }
  return Object.assign(Late, { prefetch });
}
