import { systemMessageToken } from '../../core/agents/redaction.ts';
import type { AgentNotes } from '../../core/supervisor/worker-ports.ts';
import type { RestorePoint, WorkspaceSnapshot } from '../../core/undo/snapshot-port.ts';
import { quotedName } from '../../services/tools/files/shown-path.ts';
import type { RestorePointsFile } from './restore-points-file.ts';

/** Most paths that a note names. */
const mostNamed = 20;

/** Names are quoted, because they may come from untrusted content (T9). */
export function undoneNote(point: RestorePoint, isRedo: boolean): string {
  const paths = point.changes.map(
    ({ path, after }) => `${quotedName(path.slice(0, 300))}${after.kind === 'absent' ? ' (gone)' : ''}`,
  );
  const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : '';
  const named = `${paths.slice(0, mostNamed).join(', ')}${more}`;
  const what = isRedo
    ? 'Your operator took back an undo. These paths are as you had left them'
    : 'Your operator undid changes that you made to files. These paths are as they were before';
  return `${systemMessageToken} ${what}: ${named}. What you said or saw about them earlier does not hold any more. Do not repeat or take back these changes unless you are asked to.`;
}

/** The time is in UTC, and the label a person's. */
export function restoredNote({ label, at }: Pick<WorkspaceSnapshot, 'label' | 'at'>): string {
  const named = label === null ? 'a snapshot' : `the snapshot ${quotedName(label)}`;
  const time = new Date(at).toISOString();
  return `${systemMessageToken} Your operator restored your workspace to ${named} of ${time}. Files are as they were then. What you said or saw about files after that time does not hold any more: look again before you rely on it. Do not repeat or take back changes unless you are asked to.`;
}

/** Notes about reverts for one agent; nothing is opened if no restore point was ever stored. */
export const createAgentNotes =
  (file: Pick<RestorePointsFile, 'open' | 'exists'>) =>
  (agentId: string): AgentNotes => ({
    async take(threadKey) {
      if (!file.exists()) return null;
      const opened = await file.open();
      if (!opened.ok) return null;
      const { store } = opened.value;
      const notes = store.notes(agentId, threadKey);
      if (notes.length === 0) return null;
      return {
        text: notes.map(({ text }) => text).join('\n'),
        given: () => store.removeNotes(notes.map(({ id }) => id)),
      };
    },
  });
