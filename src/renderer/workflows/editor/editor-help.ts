/** Completion, and help at the pointer and the cursor of CodeMirror, from the fields of a workflow file. */
import {
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  completionStatus,
} from '@codemirror/autocomplete';
import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import { hoverTooltip, keymap, showTooltip, type Tooltip } from '@codemirror/view';
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

const creators = new Map<FieldKey, Tooltip['create']>();

/** The same function for the same field, so that a key does not draw the tooltip anew. */
function creatorOf(key: FieldKey): Tooltip['create'] {
  const create =
    creators.get(key) ??
    (() => {
      const dom = helpNode(key);
      dom.className = 'cm-cursor-help';
      // The text under the editor says the same to a screen reader.
      dom.ariaHidden = 'true';
      return { dom };
    });
  creators.set(key, create);
  return create;
}

function helpAtCursor(state: EditorState): Tooltip | null {
  const { main } = state.selection;
  if (!main.empty || completionStatus(state) === 'active') return null;
  const { group, field } = fieldPlace(state.doc.toString(), main.head);
  const key = fieldKey(group, field);
  // At the end of the line, so that it hides little of the lines above.
  return key === null ? null : { pos: state.doc.lineAt(main.head).to, above: true, create: creatorOf(key) };
}

const hideHelp = StateEffect.define();

const cursorTooltip = StateField.define<Tooltip | null>({
  create: () => null,
  update: (shown, { state, docChanged, selection, effects }) => {
    if (effects.some((effect) => effect.is(hideHelp))) return null;
    if (completionStatus(state) === 'active') return null;
    return docChanged || selection !== undefined ? helpAtCursor(state) : shown;
  },
  provide: (field) => showTooltip.from(field),
});

/** Help about the field at the cursor; Escape hides it until the cursor moves. */
export const cursorHelp: Extension = [
  cursorTooltip,
  keymap.of([
    {
      key: 'Escape',
      run: (view) => {
        if (view.state.field(cursorTooltip) !== null) view.dispatch({ effects: hideHelp.of(null) });
        return false;
      },
    },
  ]),
];
