/** Focuses an element, unless an open dialog has the focus. */
export function takeFocus(element: HTMLElement | null): void {
  if (element === null) return;
  const isBehindDialog =
    document.querySelector('[role=dialog]') !== null && element.closest('[role=dialog]') === null;
  if (!isBehindDialog) element.focus();
}
