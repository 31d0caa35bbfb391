import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import type { FindingView } from '../../contract/workflow-methods.ts';
import { t } from '../../language/texts.ts';
import { LineGutter, lineHeight } from './line-gutter.tsx';

export interface EditorHandle {
  /** Scrolls to a line (from 1) without moving the focus. */
  show(line: number): void;
  /** Moves the cursor to a line. */
  jump(line: number): void;
}

interface EditorOf {
  readonly label: string;
  readonly text: string;
  readonly readOnly: boolean;
  readonly findings: readonly FindingView[];
  readonly ref?: Ref<EditorHandle>;
  onChange(text: string): void;
  onSave(): void;
}

/** Lines kept visible above the target. */
const above = 3;

function placeOf(text: string, line: number): readonly [number, number] {
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    const next = text.indexOf('\n', start);
    if (next < 0) break;
    start = next + 1;
  }
  const end = text.indexOf('\n', start);
  return [start, end < 0 ? text.length : end];
}

/** Plain text editor with line numbers. Tab leaves the field, Enter keeps the indentation. */
export function TextEditor({ label, text, readOnly, findings, ref, onChange, onSave }: EditorOf) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [top, setTop] = useState(0);
  const show = (line: number): void => {
    if (area.current !== null) area.current.scrollTop = Math.max(0, (line - 1 - above) * lineHeight);
  };
  useImperativeHandle(ref, () => ({
    show,
    jump: (line) => {
      show(line);
      area.current?.focus({ preventScroll: true });
      area.current?.setSelectionRange(...placeOf(text, line));
    },
  }));
  useEffect(() => setTop(area.current?.scrollTop ?? 0), []);
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const { key, ctrlKey, metaKey, shiftKey } = event;
    if (key.toLowerCase() === 's' && (ctrlKey || metaKey)) {
      event.preventDefault();
      onSave();
    } else if (key === 'Enter' && !shiftKey && !readOnly && !event.nativeEvent.isComposing) {
      const { value, selectionStart } = event.currentTarget;
      const line = value.slice(value.lastIndexOf('\n', selectionStart - 1) + 1, selectionStart);
      event.preventDefault();
      // Unlike setting the value, `insertText` stays in the undo history.
      document.execCommand('insertText', false, `\n${/^ */.exec(line)?.[0] ?? ''}`);
    }
  };
  return (
    <div className="editor">
      <LineGutter lines={text.split('\n').length} top={top} findings={findings} />
      <textarea
        ref={area}
        aria-label={label}
        aria-description={t('workflows.editorKeys')}
        value={text}
        readOnly={readOnly}
        wrap="off"
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        dir="ltr"
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
        onKeyDown={onKey}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
