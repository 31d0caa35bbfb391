import { type ReactNode, useEffect, useId, useRef } from 'react';
import { createPortal } from 'react-dom';
import { Icon } from '../mark/icon.tsx';

interface DialogOf {
  readonly title: string;
  readonly wide?: boolean;
  readonly children: ReactNode;
  onClose(): void;
}

/** A modal on the platform's own dialog: it traps the focus, closes on Escape and gives the focus back. */
export function Dialog({ title, wide = false, children, onClose }: DialogOf) {
  const place = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = place.current;
    const before = document.activeElement;
    dialog?.showModal();
    // The platform would choose the close button, which stands first.
    dialog?.querySelector<HTMLElement>('input, textarea, select')?.focus();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return createPortal(
    <dialog
      ref={place}
      className={wide ? 'dialog is-wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header className="dialog-head">
        <h2 id={id}>{title}</h2>
        <button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
          <Icon name="close" size={18} />
        </button>
      </header>
      <div className="dialog-body">{children}</div>
    </dialog>,
    document.body,
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
  useEffect(() => safe.current?.focus(), []);
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="dialog-text">{children}</div>
      <footer className="dialog-foot">
        <button type="button" className="button" ref={safe} onClick={onClose}>
          Cancel
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
