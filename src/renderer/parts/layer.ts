/** Puts a small layer beside what opened it, above everything that scrolls or clips, and always inside the window. */

const gap = 4;
const edge = 8;

export function showBeside(layer: HTMLElement, anchor: Element, side: 'start' | 'end' = 'end'): void {
  layer.showPopover();
  const at = anchor.getBoundingClientRect();
  const [width, height] = [layer.offsetWidth, layer.offsetHeight];
  const left = side === 'end' ? at.right - width : at.left;
  const below = at.bottom + gap;
  const top = below + height > window.innerHeight - edge ? at.top - height - gap : below;
  layer.style.left = `${Math.max(edge, Math.min(left, window.innerWidth - width - edge))}px`;
  layer.style.top = `${Math.max(edge, top)}px`;
}
