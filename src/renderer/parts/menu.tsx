import { Menu as Parts } from '@base-ui/react/menu';
import { createContext, type KeyboardEvent, type ReactNode, useContext, useRef, useState } from 'react';
import { Icon, type IconName } from '../mark/icon.tsx';

interface MenuOf {
  readonly label: string;
  readonly icon?: IconName;
  readonly children: ReactNode;
}

const FocusButton = createContext<() => void>(() => undefined);

/** Menu button: arrows and first letters move, Escape closes and returns the focus to the button. */
export function Menu({ label, icon = 'more', children }: MenuOf) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const toButton = (): void => button.current?.focus();
  const onKey = (event: KeyboardEvent): void => {
    // The surrounding list uses the same keys.
    event.stopPropagation();
    if (event.key !== 'Tab') return;
    toButton();
    setOpen(false);
  };
  return (
    <Parts.Root open={open} onOpenChange={setOpen} modal={false}>
      <Parts.Trigger ref={button} className="icon-button" aria-label={label} title={label}>
        <Icon name={icon} />
      </Parts.Trigger>
      <Parts.Portal>
        {/* Rendered at the end of the document, so it needs a landmark with a name. */}
        <Parts.Positioner
          className="menu-layer"
          role="region"
          aria-label={label}
          align="end"
          sideOffset={4}
          collisionPadding={8}
        >
          <Parts.Popup className="menu" aria-label={label} onKeyDown={onKey}>
            <FocusButton value={toButton}>{children}</FocusButton>
          </Parts.Popup>
        </Parts.Positioner>
      </Parts.Portal>
    </Parts.Root>
  );
}

interface ItemOf {
  readonly danger?: boolean;
  readonly children: ReactNode;
  onPick(): void;
}

export function MenuItem({ danger = false, children, onPick }: ItemOf) {
  const toButton = useContext(FocusButton);
  const pick = (): void => {
    // Focus the button first, so that a dialog opened by the item returns the focus to it.
    toButton();
    onPick();
  };
  return (
    <Parts.Item className={danger ? 'menu-item is-danger' : 'menu-item'} onClick={pick}>
      {children}
    </Parts.Item>
  );
}
