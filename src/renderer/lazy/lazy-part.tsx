/** A component in its own chunk, loaded when first rendered or prefetched while the page is idle. */
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import type { WaitingOf } from './waiting.tsx';

export interface LatePart<Props> {
  (props: Props): ReactNode;
  /** Renders synchronously once resolved. A failure is not cached: the next call tries again. */
  prefetch(): Promise<void>;
}

/**
 * Shows `Waiting` until the chunk is loaded. It does not use `lazy` and `Suspense`, because React holds
 * content after a fallback back for 300 ms and shows the fallback briefly even if the chunk is already there.
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
