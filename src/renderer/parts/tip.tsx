import { Tooltip as Parts } from '@base-ui/react/tooltip';
import { type ReactNode, useId, useState } from 'react';
import { t } from '../../language/texts.ts';

/**
 * Delays in ms: a pointer that passes over opens nothing, and one that moves onto the tooltip keeps it open.
 */
const openMs = 250;
const closeMs = 150;

interface TipOf {
  readonly className: string;
  readonly reachable: boolean;
  readonly children: ReactNode;
  /** Text of the tooltip, or `null` for none. */
  readonly words: ReactNode;
  onOpen(): void;
}

/** Tooltip on hover and focus; Escape closes it. */
export function Tip({ className, reachable, children, words, onOpen }: TipOf) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const turn = (to: boolean): void => {
    if (to && !open) onOpen();
    setOpen(to);
  };
  return (
    <Parts.Root open={open} onOpenChange={turn}>
      <Parts.Trigger
        data-tip
        className={className}
        delay={openMs}
        closeDelay={closeMs}
        closeOnClick={false}
        tabIndex={reachable ? 0 : -1}
        aria-describedby={open ? id : undefined}
        onFocus={() => turn(true)}
        onClick={() => turn(true)}
      >
        {children}
      </Parts.Trigger>
      <Parts.Portal>
        <Parts.Positioner
          className="tip-layer"
          role="region"
          aria-label={t('parts.explanation')}
          side="bottom"
          align="start"
          sideOffset={4}
          collisionPadding={8}
        >
          <Parts.Popup className="tip" role="tooltip" id={id}>
            {words}
          </Parts.Popup>
        </Parts.Positioner>
      </Parts.Portal>
    </Parts.Root>
  );
}
