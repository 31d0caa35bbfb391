import { Dialog as Parts } from '@base-ui/react/dialog';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { t } from '../../language/texts.ts';
import { Icon } from '../mark/icon.tsx';

interface DialogOf {
  readonly title: string;
  readonly wide?: boolean;
  readonly children: ReactNode;
  /**
   * Element that gets the first focus; by default the first field, or the first button that does not close.
   */
  readonly first?: RefObject<HTMLElement | null>;
  onClose(): void;
}

let openDialogs = 0;

/** Marks the body while a dialog is open; `:has` would restyle the whole page on each key. */
function useBodyMark(): void {
  useEffect(() => {
    openDialogs += 1;
    document.body.classList.add('has-dialog');
    return () => {
      openDialogs -= 1;
      document.body.classList.toggle('has-dialog', openDialogs > 0);
    };
  }, []);
}

/** Modal dialog: traps the focus, closes on Escape and restores the focus. */
export function Dialog({ title, wide = false, children, first, onClose }: DialogOf) {
  const body = useRef<HTMLDivElement>(null);
  useBodyMark();
  // The component unmounts without a close event, so the library never restores the focus itself.
  const before = useRef(document.activeElement);
  useEffect(() => {
    const { current } = before;
    return () => {
      if (current instanceof HTMLElement) current.focus();
    };
  }, []);
  const start = (): HTMLElement | true =>
    first?.current ??
    body.current?.querySelector<HTMLElement>('input, textarea, select') ??
    body.current?.querySelector<HTMLElement>('button, a') ??
    true;
  return (
    <Parts.Root open onOpenChange={(open) => !open && onClose()} disablePointerDismissal>
      <Parts.Portal>
        <Parts.Backdrop className="dialog-backdrop" forceRender />
        <Parts.Popup className={wide ? 'dialog is-wide' : 'dialog'} initialFocus={start}>
          <header className="dialog-head">
            <Parts.Title>{title}</Parts.Title>
            <Parts.Close className="icon-button" aria-label={t('parts.close')}>
              <Icon name="close" size={18} />
            </Parts.Close>
          </header>
          <div className="dialog-body" ref={body}>
            {children}
          </div>
        </Parts.Popup>
      </Parts.Portal>
    </Parts.Root>
  );
}

interface ConfirmOf {
  readonly title: string;
  readonly children: ReactNode;
  readonly verb: string;
  readonly danger?: boolean;
  readonly busy?: boolean;
  onConfirm(): void;
  onClose(): void;
}

/** Confirmation dialog; cancel has the focus. */
export function Confirm({
  title,
  children,
  verb,
  danger = false,
  busy = false,
  onConfirm,
  onClose,
}: ConfirmOf) {
  const safe = useRef<HTMLButtonElement>(null);
  return (
    <Dialog title={title} first={safe} onClose={onClose}>
      <div className="dialog-text">{children}</div>
      <footer className="dialog-foot">
        <button type="button" className="button" ref={safe} onClick={onClose}>
          {t('parts.cancel')}
        </button>
        <button
          type="button"
          className={danger ? 'button is-danger' : 'button is-primary'}
          disabled={busy}
          onClick={onConfirm}
        >
          {verb}
        </button>
      </footer>
    </Dialog>
  );
}
