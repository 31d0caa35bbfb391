/** Pages of the shell without script and bridge. Their buttons are links that the window intercepts. */

import type { AppError } from '../contract/errors.ts';
import { pageHeaders } from '../contract/page-headers.ts';
import { locale, localizeError, localizeHint, t } from '../language/texts.ts';

export const shellStylePath = '/shell.css';
const actionPrefix = '/do/';

export interface ShellButton {
  readonly action: string;
  readonly label: string;
  readonly main?: boolean;
}

export interface ShellPage {
  readonly title: string;
  readonly lines: readonly string[];
  readonly buttons: readonly ShellButton[];
  /** Start of a countdown in seconds, at most 60, animated by CSS only. */
  readonly countdown?: number;
}

/** Stricter than the renderer's policy, because these pages run no script. */
export const shellHeaders: Readonly<Record<string, string>> = {
  ...pageHeaders,
  'content-security-policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

const button = ({ action, label, main }: ShellButton): string =>
  `<a role="button" href="${actionPrefix}${action}"${main ? ' class="main" autofocus' : ''}>${escaped(label)}</a>`;

export function shellHtml({ title, lines, buttons, countdown }: ShellPage): string {
  const seconds = countdown === undefined ? null : Math.max(0, Math.min(60, Math.round(countdown)));
  const saidAround = `data-before="${escaped(t('shell.atMostBefore'))}" data-after="${escaped(t('shell.atMostAfter'))}"`;
  return [
    `<!doctype html><html lang="${locale()}"><head><meta charset="utf-8"><title>${escaped(title)}</title>`,
    `<link rel="stylesheet" href="${shellStylePath}"></head><body><main>`,
    `<h1>${escaped(title)}</h1>`,
    ...lines.map((line) => `<p>${escaped(line)}</p>`),
    seconds === null
      ? ''
      : `<p role="timer" class="from-${seconds}" ${saidAround} aria-label="${escaped(t('shell.atMost', { seconds }))}"></p>`,
    `<nav>${buttons.map(button).join('\n')}</nav>`,
    '</main></body></html>',
  ].join('\n');
}

/** Returns the action of a link on such a page, or `null` for any other address. */
export function shellAction(address: string, origin: string): string | null {
  const prefix = `${origin}${actionPrefix}`;
  const action = address.startsWith(prefix) ? address.slice(prefix.length) : '';
  return /^[a-z-]{1,30}$/.test(action) ? action : null;
}

export const errorPageLines = (error: AppError): string[] =>
  [localizeError(error), localizeHint(error), error.where ?? ''].filter((line) => line !== '');

const countdowns = Array.from(
  { length: 61 },
  (_, seconds) => `.from-${seconds} { --from: ${seconds}; animation-duration: ${Math.max(1, seconds)}s; }`,
).join('\n');

export const shellStyle = `
:root { color-scheme: light dark; --accent: #4a44c4; --on-accent: #fff; --line: #8f8a85; }
@media (prefers-color-scheme: dark) { :root { --accent: #a9a5f5; --on-accent: #191817; } }
@property --left { syntax: '<integer>'; inherits: false; initial-value: 0; }
@keyframes count { from { --left: var(--from); } to { --left: 0; } }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 15px/1.45 system-ui, sans-serif; }
main { max-width: 60ch; padding: 24px; }
h1 { font-size: 24px; line-height: 1.2; font-weight: 600; margin: 0 0 12px; }
p { overflow-wrap: anywhere; margin: 0 0 8px; }
nav { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 20px; }
a { padding: 8px 16px; border: 1px solid var(--line); border-radius: 8px; color: inherit; text-decoration: none; }
a.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
[role='timer'] { animation: count 1s linear forwards; counter-reset: left var(--left); font-variant-numeric: tabular-nums; }
[role='timer']::after { content: attr(data-before) counter(left) attr(data-after); }
${countdowns}
`;
