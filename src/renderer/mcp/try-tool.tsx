import { useState } from 'react';
import type { McpServerDetail, McpToolView } from '../../contract/mcp-server-methods.ts';
import { t } from '../../language/texts.ts';
import { shortLine } from '../format/short-text.ts';
import { type FieldProblem, readForm, type Typed } from '../forms/read-form.ts';
import { isObject, type SchemaField } from '../forms/schema-fields.ts';
import { SchemaForm } from '../forms/schema-form.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { LabelledText } from '../parts/labelled-text.tsx';
import { ErrorNote, Note } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';
import { serverRef } from './server-words.ts';

interface TryOf {
  readonly server: McpServerDetail;
  readonly tool: McpToolView;
  readonly fields: readonly SchemaField[];
  onClose(): void;
}

/** Calls a tool with typed arguments; the result is plain text. */
export function TryTool({ server, tool, fields, onClose }: TryOf) {
  const [typed, setTyped] = useState<Typed>({});
  const [problems, setProblems] = useState<Readonly<Record<string, FieldProblem>>>({});
  const [result, setResult] = useState<{ isError: boolean; text: string; cut: boolean } | null>(null);
  const call = useAction('mcpServers.callTool');
  const submit = async (): Promise<void> => {
    const read = readForm(fields, typed);
    setProblems(read.problems);
    if (Object.keys(read.problems).length > 0 || call.busy) return;
    setResult(null);
    const args = isObject(read.value) ? read.value : {};
    const done = await call.run({ ...serverRef(server), tool: tool.name, args });
    if (done.ok) setResult(done.value);
  };
  return (
    <Dialog title={t('mcp.tryTitle', { name: shortLine(tool.name, 80) })} wide onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Note tone="warning">{t('mcp.tryMeans')}</Note>
        {fields.length === 0 ? (
          <p className="soft">{t('mcp.noArguments')}</p>
        ) : (
          <SchemaForm fields={fields} typed={typed} problems={problems} onChange={setTyped} />
        )}
        <ErrorNote error={call.error} />
        {result !== null && (
          <div role="status">
            <LabelledText
              label={result.isError ? t('mcp.resultError') : t('mcp.result')}
              text={result.text === '' ? ' ' : result.text}
            />
            {result.cut && <p className="fine">{t('mcp.resultCut')}</p>}
          </div>
        )}
        <footer className="dialog-foot">
          <button type="button" className="button" onClick={onClose}>
            {t('parts.close')}
          </button>
          <button type="submit" className="button is-primary" disabled={call.busy}>
            {call.busy ? t('mcp.calling') : t('mcp.call')}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
