import { useEffect, useState } from 'react';
import type { TaskSummary } from '../../contract/task-methods.ts';
import { t } from '../../language/texts.ts';
import { ExactText } from '../parts/exact-text.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { useAction } from '../state/action.ts';

/** Minimum interval between reloads, in ms. */
const againMs = 500;

function readable(json: string): string {
  try {
    const memory: unknown = JSON.parse(json);
    const none = typeof memory === 'object' && memory !== null && Object.keys(memory).length === 0;
    return none ? '' : JSON.stringify(memory, null, 2);
  } catch {
    return json;
  }
}

/** Notes that the task keeps between steps; loaded when opened and after each step. */
export function TaskMemory({ task }: { task: TaskSummary }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="card task-memory" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('tasks.memory')}</summary>
      {open && <Memory task={task} />}
    </details>
  );
}

function Memory({ task: { id, updatedAt } }: { task: TaskSummary }) {
  const { run, error } = useAction('tasks.get');
  const [json, setJson] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read anew with every change
  useEffect(() => {
    let left = false;
    const read = async (): Promise<void> => {
      const found = await run({ task: id });
      if (!left && found.ok) setJson(found.value.memoryJson);
    };
    const timer = setTimeout(() => void read(), json === null ? 0 : againMs);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [run, id, updatedAt]);
  const text = readable(json ?? '{}');
  return (
    <>
      <ErrorNote error={error} />
      {json !== null && text === '' && <p className="card-empty">{t('tasks.noMemory')}</p>}
      {text !== '' && (
        <ScrollRegion className="fall-text" label={t('tasks.memory')}>
          <pre>
            <ExactText text={text} />
          </pre>
        </ScrollRegion>
      )}
    </>
  );
}
