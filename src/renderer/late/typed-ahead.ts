/**
 * What is typed between the call of a dialog and its arrival. Text is kept and given to the field in which the dialog puts the
 * focus; Escape closes it as soon as it is there. Nothing else is kept: nobody confirms what they have not seen.
 */

/** A dialog that has come and has no field to write into by then is given nothing: ms. */
const focusWaitMs = 1_000;

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Numbers and addresses have no place to write at. */
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

/** Keeps keys from now on; what it returns is called when the dialog has come, or will not. */
export function keepKeys(): () => void {
  let text = '';
  let leave = false;
  let wasIn = false;
  const keep = (event: KeyboardEvent): void => {
    // The dialog has had the focus: from then on keys are whose they always are.
    if (wasIn) return;
    const { key, ctrlKey, metaKey, altKey, isComposing } = event;
    if (ctrlKey || metaKey || altKey || isComposing) return;
    if (key === 'Escape') leave = true;
    else if (key === 'Backspace') text = [...text].slice(0, -1).join('');
    else if ([...key].length === 1) text += key;
    else if (key !== 'Enter' && key !== 'Tab') return;
    // It was not meant for what has the focus still.
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
