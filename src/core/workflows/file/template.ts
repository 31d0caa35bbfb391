/**
 * Texts with placeholders: `${arg}`, `$step.json.path`, and `${$step.path}` if a letter follows. Printing and
 * parsing again gives the same template. A backslash before the dollar sign keeps it plain text.
 */
import { assertNever } from '../../lib/assert.ts';
import type { Template, TemplatePart, TemplateScope } from './definition.ts';
import type { KnownNames } from './names.ts';
import { isKnownRef, parseRef, printRef, resolveRef, valueText } from './refs.ts';

const places = /\\[\s\S]|\$\{(raw:)?([^{}]*)\}|\$[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*)*/g;

function placed(match: RegExpMatchArray, names: KnownNames): TemplatePart | null {
  const [text, rawMark, inner] = match;
  if (text.startsWith('\\')) return null;
  const raw = rawMark !== undefined;
  if (inner !== undefined && names.args.has(inner)) return { kind: 'arg', name: inner, raw };
  const ref = parseRef(inner ?? text);
  return ref && isKnownRef(ref, names) ? { kind: 'ref', ref, raw } : null;
}

/** Unknown names stay text: a shell's own `${HOME}`, a price of `$5.00`. */
export function parseTemplate(text: string, names: KnownNames): Template {
  const parts: TemplatePart[] = [];
  let done = 0;
  for (const match of text.matchAll(places)) {
    const part = placed(match, names);
    if (!part) continue;
    if (match.index > done) parts.push({ kind: 'text', text: text.slice(done, match.index) });
    parts.push(part);
    done = match.index + match[0].length;
  }
  if (done < text.length) parts.push({ kind: 'text', text: text.slice(done) });
  return parts;
}

function printPart(part: TemplatePart, next: TemplatePart | undefined): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'arg':
      return part.raw ? `\${raw:${part.name}}` : `\${${part.name}}`;
    case 'ref': {
      const plain = printRef(part.ref);
      if (part.raw) return `\${raw:${plain}}`;
      return next?.kind === 'text' && /^[A-Za-z0-9_.-]/.test(next.text) ? `\${${plain}}` : plain;
    }
    default:
      return assertNever(part);
  }
}

export const printTemplate = (template: Template): string =>
  template.map((part, index) => printPart(part, template[index + 1])).join('');

/**
 * Text of one placeholder. A missing argument gives an empty text; the check has made sure that it exists.
 */
export function placeText(part: Exclude<TemplatePart, { kind: 'text' }>, scope: TemplateScope): string {
  if (part.kind === 'ref') return valueText(resolveRef(part.ref, scope));
  return valueText(Object.hasOwn(scope.args, part.name) ? scope.args[part.name] : undefined);
}

/** Renders prompts, environment, folders and standard input: values unquoted, `\$` as a dollar sign. */
export function renderTemplate(template: Template, scope: TemplateScope): string {
  return template
    .map((part) => (part.kind === 'text' ? part.text.replaceAll('\\$', '$') : placeText(part, scope)))
    .join('');
}

export const isPlainText = (template: Template): boolean => template.every((part) => part.kind === 'text');

/** Names that look like a placeholder but are unknown; the check tells plain text from typing errors. */
export function strangeNames(
  template: Template,
): readonly { readonly kind: 'arg' | 'ref'; readonly name: string }[] {
  const found: { kind: 'arg' | 'ref'; name: string }[] = [];
  for (const part of template) {
    if (part.kind !== 'text') continue;
    for (const [text, , inner] of part.text.matchAll(places)) {
      if (text.startsWith('\\')) continue;
      const ref = parseRef(inner ?? text);
      if (ref && ref.path.length > 0) found.push({ kind: 'ref', name: ref.step });
      else if (inner !== undefined && /^[A-Za-z_][A-Za-z0-9_-]*$/.test(inner))
        found.push({ kind: 'arg', name: inner });
    }
  }
  return found;
}
