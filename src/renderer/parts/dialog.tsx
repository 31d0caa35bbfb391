import { Dialog as Parts } from '@base-ui/react/dialog';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { t } from '../../language/texts.ts';
import { Icon } from '../mark/icon.tsx';

interface DialogOf {
  readonly title: string;
  readonly wide?: boolean;
  readonly children: ReactNode;
  /** What has the focus first; else the first field, else the first button that is not the one to close. */
  readonly first?: RefObject<HTMLElement | null>;
  onClose(): void;
}

/** A modal: it traps the focus, closes on Escape and gives the focus back. */
export function Dialog({ title, wide = false, children, first, onClose }: DialogOf) {
  const body = useRef<HTMLDivElement>(null);
  // It is taken away, not closed, so the library does not get to give the focus back.
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

/** The safe answer has the focus. */
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
