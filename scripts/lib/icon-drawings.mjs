/**
 * The logo, a roof over a dot, as SVG text: for the tray in five states, for menu rows, and as application
 * icon.
 */

const colours = {
  idle: '#1a9b5a',
  working: '#d99a06',
  needs_you: '#e08306',
  error: '#e5484d',
  offline: '#8f8a85',
};
/** Default variant: a medium colour that is visible on light and dark panels. */
const roofs = { '': '#7a74ea', '-on-dark': '#e9e7ff', '-on-light': '#3a3590', '-template': '#000' };
/** Darker variants of the state colours for a light panel. */
const onLight = {
  idle: '#0d7a43',
  working: '#8a6100',
  needs_you: '#a35a00',
  error: '#c22f35',
  offline: '#66615c',
};

export const trayVariants = Object.keys(roofs);

export const states = Object.keys(colours);

/** The five shapes around (cx, cy): the shape identifies the state without colour. */
function shape(state, cx, cy, r, ink) {
  const line = `fill="none" stroke="${ink}" stroke-linecap="round"`;
  switch (state) {
    case 'working':
      return `<circle cx="${cx}" cy="${cy}" r="${r + 1}" fill="${ink}"/>`;
    case 'needs_you':
      return `<circle cx="${cx}" cy="${cy}" r="${r}" ${line} stroke-width="3"/><circle cx="${cx}" cy="${cy}" r="${r * 0.36}" fill="${ink}"/>`;
    case 'error': {
      const d = r * 0.9;
      return `<path d="M${cx - d} ${cy - d}L${cx + d} ${cy + d}M${cx + d} ${cy - d}L${cx - d} ${cy + d}" ${line} stroke-width="3.2"/>`;
    }
    case 'offline':
      return `<circle cx="${cx}" cy="${cy}" r="${r}" ${line} stroke-width="2.2" stroke-dasharray="2.6 3.2"/>`;
    default:
      return `<circle cx="${cx}" cy="${cy}" r="${r}" ${line} stroke-width="2.2"/>`;
  }
}

const svg = (box, body) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${box} ${box}">${body}</svg>`;

function ink(state, variant) {
  if (variant === '-template') return '#000';
  return variant === '-on-light' ? onLight[state] : colours[state];
}

/** `-template`: black only, for the macOS menu bar, which colours it itself. */
export function trayDrawing(state, variant) {
  const roof = `<path d="M3 11 12 3.4 21 11" fill="none" stroke="${roofs[variant]}" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/>`;
  return svg(24, roof + shape(state, 12, 16.6, 4.4, ink(state, variant)));
}

export const dotDrawing = (state) => svg(16, shape(state, 8, 8, 4.6, colours[state]));

export const appDrawing = () =>
  svg(
    256,
    `<title>Kennel</title><defs><linearGradient id="g" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#6f69ea"/><stop offset="1" stop-color="#4a44c4"/></linearGradient></defs>
     <rect x="14" y="14" width="228" height="228" rx="54" fill="url(#g)"/>
     <path d="M58 122 128 64l70 58" fill="none" stroke="#fff" stroke-width="20" stroke-linecap="round" stroke-linejoin="round"/>
     <circle cx="128" cy="164" r="31" fill="#fff"/>`,
  );
