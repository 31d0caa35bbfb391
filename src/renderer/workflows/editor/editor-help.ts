/** Completion and hover help of CodeMirror, from the fields of a workflow file. */
import type { CompletionContext, CompletionResult, CompletionSource } from '@codemirror/autocomplete';
import { hoverTooltip } from '@codemirror/view';
import type { FieldKey } from '../../../contract/workflow-fields.ts';
import { type CompletionNames, suggestionsAt } from './completions.ts';
import { fieldHelp, fieldKey, fieldPlace } from './field-place.ts';

/** Lists completions while a name is typed, or on request. */
export const completionSource =
  (known: () => CompletionNames): CompletionSource =>
  (context: CompletionContext): CompletionResult | null => {
    const text = context.state.doc.toString();
    const found = suggestionsAt(text, context.pos, known());
    if (found === null || found.options.length === 0) return null;
    const isStart = found.from === context.pos && !/[.{$]$/.test(text.slice(0, context.pos));
    if (isStart && !context.explicit) return null;
    // A complete name needs no list, and Enter begins a new line.
    const typed = text.slice(found.from, context.pos);
    if (!context.explicit && found.options.some(({ label }) => label === typed)) return null;
    return {
      from: found.from,
      options: found.options.map(({ label, apply, kind, help }, index) => ({
        label,
        type: kind,
        // In the order of the file format.
        boost: -Math.min(index, 90),
        ...(apply === undefined ? {} : { apply }),
        ...(help == null ? {} : { info: () => helpNode(help) }),
      })),
    };
  };

function helpNode(key: FieldKey): HTMLElement {
  const node = document.createElement('div');
  node.className = 'field-help';
  node.textContent = fieldHelp(key);
  return node;
}

/** Help about the name of a field under the pointer. */
export const fieldTooltip = hoverTooltip(({ state: { doc } }, pos) => {
  const { from, text } = doc.lineAt(pos);
  const name = /[\w-]*$/.exec(text.slice(0, pos - from))?.[0] ?? '';
  const end = pos + (/^[\w-]*/.exec(text.slice(pos - from))?.[0] ?? '').length;
  if (!/^["']?\s*:/.test(text.slice(end - from))) return null;
  const { group, field, inValue } = fieldPlace(doc.toString(), end);
  const key = fieldKey(group, field);
  if (key === null || inValue) return null;
  return { pos: pos - name.length, end, above: true, create: () => ({ dom: helpNode(key) }) };
});
