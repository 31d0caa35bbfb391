import type { MethodOutput } from '../../../contract/methods.ts';
import { ErrorNote } from '../../parts/notes.tsx';
import { Ago } from '../../parts/time.tsx';
import { useAction } from '../../state/action.ts';
import { say } from '../../state/screen.ts';
import { bytesWords } from '../../words/amounts.ts';

type Versions = MethodOutput<'memory.read'>['versions'];

interface HistoryOf {
  readonly agent: string;
  readonly name: string;
  readonly versions: Versions;
  onRestored(): void;
}

const authors = { agent: 'the agent', operator: 'you' } as const;

/** Every change of a note, newest first; any of them can be brought back. */
export function NoteHistory({ agent, name, versions, onRestored }: HistoryOf) {
  const restore = useAction('memory.restore');
  const newest = [...versions].sort((a, b) => b.version - a.version);
  const bring = async (version: number): Promise<void> => {
    const result = await restore.run({ agent, name, version });
    if (!result.ok) return;
    say(`Version ${version} is back.`);
    onRestored();
  };
  if (newest.length === 0) return null;
  return (
    <details className="note-history" open={newest[0]?.removed}>
      <summary>History</summary>
      <ErrorNote error={restore.error} />
      <ul aria-label={`History of ${name}`}>
        {newest.map((version, index) => (
          <li key={version.version}>
            <span>
              Version {version.version} by {authors[version.by]}, <Ago at={version.at} />
              <span className="soft">, {version.removed ? 'forgotten' : bytesWords(version.bytes)}</span>
            </span>
            {index > 0 && !version.removed && (
              <button
                type="button"
                className="button is-small"
                disabled={restore.busy}
                onClick={() => void bring(version.version)}
              >
                Bring back<span className="visually-hidden"> version {version.version}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
