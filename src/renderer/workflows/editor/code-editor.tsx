/** The editor of workflow texts: CodeMirror with the checks, completions and help of Kennel. */
import './adopted-styles.ts';
import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, indentUnit } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, type Extension, type Text } from '@codemirror/state';
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import type { FindingView } from '../../../contract/workflow-methods.ts';
import { localize, t } from '../../../language/texts.ts';
import { visibleLine } from '../../format/visible-text.ts';
import type { CompletionNames } from './completions.ts';
import { completionSource, cursorHelp, fieldTooltip } from './editor-help.ts';
import { editorLook } from './editor-look.ts';
import { type InsertedKind, stepInsertion } from './insert-step.ts';

export interface EditorHandle {
  /** Scrolls to a line (from 1) without moving the focus. */
  show(line: number): void;
  /** Selects a line and moves the focus to it. */
  jump(line: number): void;
  /** Inserts a step behind the one at the cursor and selects its id. */
  insert(kind: InsertedKind): void;
  /** The element that takes the focus, or `null` before the editor is drawn. */
  content(): HTMLElement | null;
}

interface EditorOf {
  readonly label: string;
  readonly text: string;
  readonly readOnly: boolean;
  readonly findings: readonly FindingView[];
  readonly known: CompletionNames;
  readonly ref?: Ref<EditorHandle>;
  onChange(text: string): void;
  onSave(): void;
  /** The cursor moved to this offset. */
  onCursor(offset: number): void;
}

/** Lines kept visible above the target of a jump, in px. */
const above = 60;

function diagnosticsOf(findings: readonly FindingView[], doc: Text): Diagnostic[] {
  return findings.flatMap(({ line, column, severity, message, hint }) => {
    if (line < 1 || line > doc.lines) return [];
    const { from, to } = doc.line(line);
    const start = Math.min(to, from + Math.max(0, column - 1));
    const parts = [message, hint].filter((part) => part !== '').map((part) => visibleLine(localize(part)));
    return [{ from: start, to, severity, message: parts.join('\n') }];
  });
}

const phrases = (): Record<string, string> => ({
  Completions: t('workflows.completions'),
  Diagnostics: t('workflows.findings'),
  'No diagnostics': t('workflows.fine'),
  'Control character': t('workflows.controlCharacter'),
  close: t('parts.close'),
});

/** Escape lets the next Tab leave the editor, however late it comes; any other key takes that back. */
function leaveByKeys(): Extension {
  let isLeaving = false;
  const set = (view: EditorView, leaving: boolean): void => {
    if (isLeaving === leaving) return;
    isLeaving = leaving;
    view.setTabFocusMode(leaving);
  };
  return EditorView.domEventObservers({
    keydown: ({ key }, view) => {
      if (key === 'Escape') set(view, true);
      else if (key !== 'Tab' && key !== 'Shift') set(view, false);
    },
    blur: (_, view) => set(view, false),
  });
}

interface Current {
  readonly known: CompletionNames;
  onChange(text: string): void;
  onSave(): void;
  onCursor(offset: number): void;
}

/**
 * Reports text and cursor in a task of its own, so that fast typing does not render the page for each key:
 * React gives up after 50 updates without a pause.
 */
function createReports(send: () => void) {
  let timer: number | undefined;
  const now = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    send();
  };
  const soon = (): void => {
    timer ??= window.setTimeout(now);
  };
  return { now, soon };
}

interface ExtensionsDeps {
  readonly label: string;
  readonly current: { readonly current: Current };
  readonly reports: ReturnType<typeof createReports>;
  onTyped(): void;
}

function extensionsOf({ label, current, reports, onTyped }: ExtensionsDeps): Extension {
  const save = (): boolean => {
    reports.now();
    current.current.onSave();
    return true;
  };
  return [
    lineNumbers(),
    lintGutter(),
    highlightActiveLineGutter(),
    highlightActiveLine(),
    highlightSpecialChars(),
    history(),
    bracketMatching(),
    indentUnit.of('  '),
    yaml(),
    editorLook,
    autocompletion({
      override: [completionSource(() => current.current.known)],
      icons: false,
      // A listed suggestion is accepted at once; a complete name lists none.
      interactionDelay: 0,
    }),
    fieldTooltip,
    cursorHelp,
    leaveByKeys(),
    keymap.of([
      { key: 'Mod-s', run: save, preventDefault: true },
      ...completionKeymap,
      ...historyKeymap,
      ...lintKeymap,
      ...defaultKeymap,
      indentWithTab,
    ]),
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-description': t('workflows.editorKeys'),
      spellcheck: 'false',
      autocapitalize: 'off',
      dir: 'ltr',
      tabindex: '0',
    }),
    EditorState.phrases.of(phrases()),
    EditorView.updateListener.of(({ docChanged, selectionSet, transactions }) => {
      if (docChanged && !transactions.every((one) => one.isUserEvent('input.replaced'))) onTyped();
      if (docChanged || selectionSet) reports.soon();
    }),
    EditorView.domEventObservers({ blur: reports.now }),
  ];
}

function handleOf(view: () => EditorView | null): EditorHandle {
  const position = (line: number) => {
    const doc = view()?.state.doc;
    return doc?.line(Math.min(Math.max(1, line), doc.lines));
  };
  const scroll = (at: number) => EditorView.scrollIntoView(at, { y: 'start', yMargin: above });
  return {
    show: (line) => {
      const place = position(line);
      if (place) view()?.dispatch({ effects: scroll(place.from) });
    },
    jump: (line) => {
      const place = position(line);
      if (!place) return;
      view()?.dispatch({ selection: { anchor: place.from, head: place.to }, effects: scroll(place.from) });
      view()?.focus();
    },
    insert: (kind) => {
      const editor = view();
      if (editor === null) return;
      const { doc, selection } = editor.state;
      const { at, insert, id } = stepInsertion(doc.toString(), selection.main.head, kind);
      editor.dispatch({
        changes: { from: at, insert },
        selection: { anchor: id[0], head: id[1] },
        scrollIntoView: true,
        userEvent: 'input',
      });
      editor.focus();
    },
    content: () => view()?.contentDOM ?? null,
  };
}

export function CodeEditor({ label, text, readOnly, findings, ref, ...callbacks }: EditorOf) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  /** The text reported last, until it comes back as `text`. */
  const reported = useRef<string>(null);
  const current = useRef<Current>(callbacks);
  const onChange = (typed: string): void => {
    reported.current = typed === text ? null : typed;
    callbacks.onChange(typed);
  };
  current.current = { ...callbacks, onChange };
  const writable = useRef(new Compartment());
  const first = useRef({ text, readOnly });
  useEffect(() => {
    if (place.current === null) return;
    const locked = writable.current.of(EditorState.readOnly.of(first.current.readOnly));
    let isTyped = false;
    const reports = createReports(() => {
      if (isTyped) current.current.onChange(made.state.doc.toString());
      isTyped = false;
      current.current.onCursor(made.state.selection.main.head);
    });
    const onTyped = (): void => {
      isTyped = true;
    };
    const extensions = [extensionsOf({ label, current, reports, onTyped }), locked];
    const made = new EditorView({ doc: first.current.text, extensions, parent: place.current });
    view.current = made;
    return () => {
      reports.now();
      first.current = { ...first.current, text: made.state.doc.toString() };
      made.destroy();
      view.current = null;
    };
  }, [label]);
  useImperativeHandle(ref, () => handleOf(() => view.current), []);
  useLayoutEffect(() => {
    const isOwn = text === reported.current;
    reported.current = null;
    const doc = view.current?.state.doc;
    // The document is newer than a text that was typed here and comes back.
    if (isOwn || doc === undefined || doc.toString() === text) return;
    view.current?.dispatch({
      changes: { from: 0, to: doc.length, insert: text },
      userEvent: 'input.replaced',
    });
  }, [text]);
  useEffect(() => {
    view.current?.dispatch({ effects: writable.current.reconfigure(EditorState.readOnly.of(readOnly)) });
  }, [readOnly]);
  useEffect(() => {
    if (view.current === null) return;
    const { state } = view.current;
    view.current.dispatch(setDiagnostics(state, diagnosticsOf(findings, state.doc)));
  }, [findings]);
  return <div ref={place} className="editor" />;
}
