/** Values with templates at their leaves; a text that is exactly one reference yields the value itself. */
import { assertNever } from '../../lib/assert.ts';
import type { Json, StdinSource, TemplateScope, ValueTemplate } from './definition.ts';
import type { KnownNames } from './names.ts';
import { printRef, resolveRef } from './refs.ts';
import { isPlainText, parseTemplate, printTemplate, renderTemplate } from './template.ts';

function leaf(text: string, names: KnownNames): ValueTemplate {
  const template = parseTemplate(text, names);
  const [only, ...more] = template;
  if (only && more.length === 0) {
    if (only.kind === 'ref' && !only.raw) return { kind: 'ref', ref: only.ref };
    if (only.kind === 'arg' && !only.raw) return { kind: 'arg', name: only.name };
  }
  return isPlainText(template) && !text.includes('\\$')
    ? { kind: 'value', value: text }
    : { kind: 'template', template };
}

export function parseValue(value: Json, names: KnownNames): ValueTemplate {
  if (typeof value === 'string') return leaf(value, names);
  if (typeof value !== 'object' || value === null) return { kind: 'value', value };
  if (Array.isArray(value)) return { kind: 'list', items: value.map((item) => parseValue(item, names)) };
  const fields = Object.entries(value).map(([key, item]) => [key, parseValue(item, names)] as const);
  return { kind: 'object', fields: Object.fromEntries(fields) };
}

export function printValue(value: ValueTemplate): Json {
  switch (value.kind) {
    case 'value':
      return value.value;
    case 'ref':
      return printRef(value.ref);
    case 'arg':
      return `\${${value.name}}`;
    case 'template':
      return printTemplate(value.template);
    case 'list':
      return value.items.map(printValue);
    case 'object':
      return Object.fromEntries(Object.entries(value.fields).map(([key, item]) => [key, printValue(item)]));
    default:
      return assertNever(value);
  }
}

/** A missing value becomes `null`. */
export function renderValue(value: ValueTemplate, scope: TemplateScope): Json {
  switch (value.kind) {
    case 'value':
      return value.value;
    case 'ref':
      return resolveRef(value.ref, scope) ?? null;
    case 'arg':
      return Object.hasOwn(scope.args, value.name) ? (scope.args[value.name] ?? null) : null;
    case 'template':
      return renderTemplate(value.template, scope);
    case 'list':
      return value.items.map((item) => renderValue(item, scope));
    case 'object':
      return Object.fromEntries(
        Object.entries(value.fields).map(([key, item]) => [key, renderValue(item, scope)]),
      );
    default:
      return assertNever(value);
  }
}

/** The value itself for a reference, otherwise a text; `undefined` if the reference has no value. */
export function stdinValue(stdin: StdinSource, scope: TemplateScope): Json | undefined {
  return stdin.kind === 'ref' ? resolveRef(stdin.ref, scope) : renderTemplate(stdin.template, scope);
}
