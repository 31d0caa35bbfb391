import { Menu as Parts } from '@base-ui/react/menu';
import {
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  type ReactNode,
  useContext,
  useRef,
  useState,
} from 'react';
import { Icon, type IconName } from '../mark/icon.tsx';

interface MenuOf {
  readonly label: string;
  readonly icon?: IconName;
  /** Shows the label beside the icon. */
  readonly text?: boolean;
  readonly children: ReactNode;
}

const FocusButton = createContext<() => void>(() => undefined);

interface LayerOf extends Pick<ComponentProps<typeof Parts.Positioner>, 'anchor' | 'align'> {
  readonly label: string;
  readonly children: ReactNode;
  toButton(): void;
  close(): void;
}

function Layer({ label, children, toButton, close, ...place }: LayerOf) {
  const onKey = (event: KeyboardEvent): void => {
    // The surrounding list uses the same keys.
    event.stopPropagation();
    if (event.key !== 'Tab') return;
    toButton();
    close();
  };
  return (
    <Parts.Portal>
      {/* Rendered at the end of the document, so it needs a landmark with a name. */}
      <Parts.Positioner
        className="menu-layer"
        role="region"
        aria-label={label}
        sideOffset={4}
        collisionPadding={8}
        {...place}
      >
        <Parts.Popup className="menu" aria-label={label} onKeyDown={onKey}>
          <FocusButton value={toButton}>{children}</FocusButton>
        </Parts.Popup>
      </Parts.Positioner>
    </Parts.Portal>
  );
}

/** Menu button: arrows and first letters move, Escape closes and returns the focus to the button. */
export function Menu({ label, icon = 'more', text = false, children }: MenuOf) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const toButton = (): void => button.current?.focus();
  return (
    <Parts.Root open={open} onOpenChange={setOpen} modal={false}>
      <Parts.Trigger
        ref={button}
        className={text ? 'button is-small' : 'icon-button'}
        aria-label={label}
        title={text ? undefined : label}
      >
        <Icon name={icon} {...(text ? { size: 14 } : {})} /> {text && label}
      </Parts.Trigger>
      <Layer label={label} align="end" toButton={toButton} close={() => setOpen(false)}>
        {children}
      </Layer>
    </Parts.Root>
  );
}

interface AnchoredOf extends Pick<ComponentProps<typeof Parts.Positioner>, 'anchor'> {
  readonly label: string;
  /** Gets the focus when the menu closes. */
  readonly back: HTMLElement;
  readonly children: ReactNode;
  onClose(): void;
}

/** Open menu without a button of its own, at an element or a point. */
export function AnchoredMenu({ label, anchor, back, children, onClose }: AnchoredOf) {
  const close = (open: boolean): void => {
    if (open) return;
    back.focus();
    onClose();
  };
  return (
    <Parts.Root open onOpenChange={close} modal={false}>
      <Layer
        label={label}
        anchor={anchor}
        align="start"
        toButton={() => back.focus()}
        close={() => onClose()}
      >
        {children}
      </Layer>
    </Parts.Root>
  );
}

/** Items under a heading. */
export function MenuGroup({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <Parts.Group className="menu-group">
      <Parts.GroupLabel className="menu-label">{label}</Parts.GroupLabel>
      {children}
    </Parts.Group>
  );
}

/** Short items beside each other. */
export const MenuRow = ({ children }: { readonly children: ReactNode }) => (
  <div className="menu-row" role="presentation">
    {children}
  </div>
);

interface ItemOf {
  readonly danger?: boolean;
  /** Name for screen readers, if the item shows only a sign. */
  readonly label?: string;
  /** The action moves the focus itself. */
  readonly keepsFocus?: boolean;
  readonly children: ReactNode;
  onPick(): void;
}

export function MenuItem({ danger = false, label, keepsFocus = false, children, onPick }: ItemOf) {
  const toButton = useContext(FocusButton);
  const pick = (): void => {
    // Focus the button first, so that a dialog opened by the item returns the focus to it.
    if (!keepsFocus) toButton();
    onPick();
  };
  return (
    <Parts.Item
      className={`menu-item${danger ? ' is-danger' : ''}`}
      aria-label={label}
      title={label}
      onClick={pick}
    >
      {children}
    </Parts.Item>
  );
}
