/** Tab icon that shows the most urgent state of all agents. */
import type { Dot } from '../../contract/model.ts';

const colours: Readonly<Record<Dot, string>> = {
  idle: '#1a7f4b',
  working: '#c98a04',
  needs_you: '#d97706',
  error: '#d13438',
  offline: '#8a8580',
};

function shape(state: Dot): string {
  const circle = '<circle cx="12" cy="16.5" r="4"';
  switch (state) {
    case 'idle':
      return `${circle}/>`;
    case 'working':
      return `${circle} fill="${colours.working}"/>`;
    case 'needs_you':
      return `${circle} stroke-width="3"/><circle cx="12" cy="16.5" r="1" fill="${colours.needs_you}"/>`;
    case 'error':
      return '<path d="M8.5 13l7 7M15.5 13l-7 7" stroke-width="3"/>';
    case 'offline':
      return `${circle} stroke-dasharray="2.6 2.4"/>`;
  }
}

export function faviconAddress(state: Dot): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke-width="2.2" stroke-linecap="round"><path d="M3 11.5 12 4l9 7.5" stroke="#6a64e0"/><g stroke="${colours[state]}">${shape(state)}</g></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

export function showFavicon(state: Dot): void {
  document.querySelector('link[rel="icon"]')?.setAttribute('href', faviconAddress(state));
}
