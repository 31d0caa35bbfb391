/** Focuses an element that has just come or finished its work, unless a dialog beside it holds the focus. */
export function takeFocus(element: HTMLElement | null): void {
  if (element === null) return;
  const isBehindDialog =
    document.querySelector('[role=dialog]') !== null && element.closest('[role=dialog]') === null;
  if (!isBehindDialog) element.focus();
}
