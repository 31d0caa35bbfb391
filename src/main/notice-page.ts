/** The page a person sees when the host could not start: what happened and what to do, as text, without scripts. */
import type { AppError } from '../contract/errors.ts';

export const noticeAddressPath = '/notice';

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

export function noticePage(error: AppError): string {
  const lines = [error.message, error.hint, error.where].filter((line) => line !== undefined && line !== '');
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Kennel did not start</title>',
    `<link rel="stylesheet" href="${noticeAddressPath}.css"></head><body><main>`,
    '<h1>Kennel did not start</h1>',
    ...lines.map((line) => `<p>${escaped(String(line))}</p>`),
    '</main></body></html>',
  ].join('\n');
}

export const noticeStyle = `
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 15px/1.45 system-ui, sans-serif; }
main { max-width: 60ch; padding: 24px; }
h1 { font-size: 24px; font-weight: 600; }
p { overflow-wrap: anywhere; }
`;
