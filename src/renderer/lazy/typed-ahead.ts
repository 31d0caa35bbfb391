/**
 * Buffers typing between opening a dialog and its first render. The text goes to the field that the dialog
 * focuses, and Escape closes the dialog as soon as it is shown. Enter and Tab are dropped, so that no reader
 * confirms an unseen dialog.
 */

/** Time in ms for the dialog to focus a text field; after it the buffer is dropped. */
const focusWaitMs = 1_000;

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Other input types, such as number, have no caret position. */
const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && /^(text|search|url|tel|password)$/.test(target.type));

const isInDialog = (target: EventTarget | null): target is Element =>
  target instanceof Element && target.closest('[role="dialog"]') !== null;

function write(field: Field, text: string): void {
  const at = field.value.length;
  field.setRangeText(text, at, at, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true, data: text, inputType: 'insertText' }));
}

/** Starts to buffer keys; the returned function is called when the dialog has rendered or failed to load. */
export function keepKeys(): () => void {
  let text = '';
  let leave = false;
  let wasIn = false;
  const keep = (event: KeyboardEvent): void => {
    // The dialog had the focus once, so all keys belong to it.
    if (wasIn) return;
    const { key, ctrlKey, metaKey, altKey, isComposing } = event;
    if (ctrlKey || metaKey || altKey || isComposing) return;
    if (key === 'Escape') leave = true;
    else if (key === 'Backspace') text = [...text].slice(0, -1).join('');
    else if ([...key].length === 1) text += key;
    else if (key !== 'Enter' && key !== 'Tab') return;
    // The element that still has the focus must not get the key.
    event.preventDefault();
    event.stopPropagation();
  };
  const stop = (): void => {
    clearTimeout(late);
    removeEventListener('keydown', keep, true);
    removeEventListener('focusin', give);
  };
  const give = ({ target }: { readonly target: EventTarget | null }): void => {
    if (!isInDialog(target)) return;
    wasIn = true;
    if (!leave && !isField(target)) return;
    stop();
    if (leave) target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    else if (isField(target) && text !== '') write(target, text);
  };
  let late: ReturnType<typeof setTimeout> | undefined;
  addEventListener('keydown', keep, true);
  return () => {
    addEventListener('focusin', give);
    late = setTimeout(stop, focusWaitMs);
    give({ target: document.activeElement });
  };
}
