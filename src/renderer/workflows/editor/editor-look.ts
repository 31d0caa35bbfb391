/** Colours and sizes of the editor, from the variables of the style sheet, so that every theme applies. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const tooltip = {
  border: '1px solid var(--line)',
  borderRadius: 'var(--radius)',
  background: 'var(--raised)',
  color: 'var(--ink)',
  boxShadow: 'var(--shadow)',
};

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', background: 'var(--surface)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { font: 'var(--text-s) / 20px var(--mono)', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '10px 0' },
  '.cm-gutters': {
    border: '0',
    borderInlineEnd: '1px solid var(--line)',
    background: 'var(--sunk)',
    color: 'var(--soft)',
  },
  '.cm-activeLine': { background: 'color-mix(in srgb, var(--hover) 45%, transparent)' },
  '.cm-activeLineGutter': { background: 'var(--hover)', color: 'var(--ink)' },
  '&.cm-focused .cm-matchingBracket': { background: 'var(--accent-soft)' },
  '&.cm-focused .cm-nonmatchingBracket': { background: 'var(--red-soft)' },
  '.cm-specialChar': { color: 'var(--red)' },
  '.cm-tooltip': tooltip,
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { font: 'var(--text-s) / 1.45 var(--mono)', maxHeight: '14em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--accent-fill)',
    color: 'var(--on-accent)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-tooltip.cm-completionInfo': { ...tooltip, padding: '8px 10px', maxWidth: '320px', font: 'inherit' },
  '.cm-tooltip .field-help': { padding: '8px 10px', maxWidth: '320px' },
  '.cm-tooltip.cm-cursor-help': { padding: '8px 10px', maxWidth: '320px', fontSize: 'var(--text-s)' },
  '&:not(.cm-focused) .cm-cursor-help': { display: 'none' },
  '.cm-diagnostic': { padding: '6px 10px', whiteSpace: 'pre-wrap' },
  '.cm-diagnostic-error': { borderInlineStart: '4px solid var(--red)' },
  '.cm-diagnostic-warning': { borderInlineStart: '4px solid var(--amber)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--red)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--amber)',
    textUnderlineOffset: '3px',
  },
  '.cm-gutter-lint': { width: '20px' },
  '.cm-lint-marker': { width: '16px', height: '16px', textAlign: 'center', fontWeight: '700' },
  '.cm-lint-marker-error': { content: '"✕"', color: 'var(--red)' },
  '.cm-lint-marker-warning': { content: '"!"', color: 'var(--amber)' },
  '.cm-lint-marker-error::before': { content: '"✕"' },
  '.cm-lint-marker-warning::before': { content: '"!"' },
});

const highlighting = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)', fontWeight: '600' },
  { tag: [tags.string, tags.special(tags.string), tags.attributeValue], color: 'var(--green)' },
  { tag: [tags.lineComment, tags.comment], color: 'var(--soft)', fontStyle: 'italic' },
  { tag: [tags.keyword, tags.meta, tags.typeName], color: 'var(--amber)' },
  { tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace], color: 'var(--soft)' },
]);

export const editorLook: Extension = [theme, syntaxHighlighting(highlighting)];
