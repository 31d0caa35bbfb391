import { type RefObject, useEffect, useState } from 'react';
import { t } from '../../language/texts.ts';
import { Icon } from '../mark/icon.tsx';
import { jumpTo, usePlaces } from './scroll-targets.ts';

interface JumpOf {
  readonly roomId: string;
  readonly place: RefObject<HTMLElement | null>;
}

/** Button to the first message that was unread at opening, until it has been in sight. */
export function JumpToNew({ roomId, place }: JumpOf) {
  const firstNew = usePlaces((places) => places.firstNew);
  const [isAbove, setAbove] = useState(false);
  useEffect(() => {
    const row = place.current?.querySelector(`[data-message="${CSS.escape(firstNew ?? '')}"]`);
    setAbove(false);
    if (!row) return;
    const watch = new IntersectionObserver(
      ([seen]) => {
        setAbove(seen?.isIntersecting === false);
        if (seen?.isIntersecting === true) watch.disconnect();
      },
      { root: place.current },
    );
    watch.observe(row);
    return () => watch.disconnect();
  }, [firstNew, place]);
  if (!isAbove || firstNew === null) return null;
  return (
    <button type="button" className="button is-small to-new" onClick={() => jumpTo({ roomId, id: firstNew })}>
      <Icon name="back" size={14} /> {t('chat.jumpToNew')}
    </button>
  );
}
