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
  /** Element that gets the focus after an item with `keepsFocus`; absent if the item moves it. */
  focusAfter?(): HTMLElement | null;
}

interface FocusOf {
  toButton(): void;
  /** The focus does not return to the button when the menu closes. */
  keep(): void;
}

const MenuFocus = createContext<FocusOf>({ toButton: () => undefined, keep: () => undefined });

interface LayerOf extends Pick<ComponentProps<typeof Parts.Positioner>, 'anchor' | 'align'> {
  readonly label: string;
  readonly children: ReactNode;
  readonly focus: FocusOf;
  readonly finalFocus?: ComponentProps<typeof Parts.Popup>['finalFocus'];
  close(): void;
}

function Layer({ label, children, focus, finalFocus, close, ...place }: LayerOf) {
  const onKey = (event: KeyboardEvent): void => {
    // The surrounding list uses the same keys.
    event.stopPropagation();
    if (event.key !== 'Tab') return;
    focus.toButton();
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
        <Parts.Popup className="menu" aria-label={label} onKeyDown={onKey} finalFocus={finalFocus}>
          <MenuFocus value={focus}>{children}</MenuFocus>
        </Parts.Popup>
      </Parts.Positioner>
    </Parts.Portal>
  );
}

/** Menu button: arrows and first letters move, Escape closes and returns the focus to the button. */
export function Menu({ label, icon = 'more', text = false, children, focusAfter }: MenuOf) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const kept = useRef(false);
  const focus: FocusOf = {
    toButton: () => button.current?.focus(),
    keep: () => {
      kept.current = true;
    },
  };
  const finalFocus = (): HTMLElement | null => {
    const to = kept.current && focusAfter ? focusAfter() : button.current;
    kept.current = false;
    return to;
  };
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
      <Layer label={label} align="end" focus={focus} finalFocus={finalFocus} close={() => setOpen(false)}>
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
        focus={{ toButton: () => back.focus(), keep: () => undefined }}
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
  const focus = useContext(MenuFocus);
  const pick = (): void => {
    // Focus the button first, so that a dialog opened by the item returns the focus to it.
    if (keepsFocus) focus.keep();
    else focus.toButton();
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
