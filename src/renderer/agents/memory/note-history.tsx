import type { MethodOutput } from '../../../contract/methods.ts';
import { t } from '../../../language/texts.ts';
import { bytesWords } from '../../format/amounts.ts';
import { ErrorNote } from '../../parts/notes.tsx';
import { Ago } from '../../parts/time.tsx';
import { useAction } from '../../state/action.ts';
import { showNotice } from '../../state/screen.ts';

type Versions = MethodOutput<'memory.read'>['versions'];

interface HistoryOf {
  readonly agent: string;
  readonly name: string;
  readonly versions: Versions;
  onRestored(): void;
}

const authors = { agent: 'memory.byAgent', operator: 'memory.byOperator' } as const;

/** Lists all versions of a note, newest first; each one can be restored. */
export function NoteHistory({ agent, name, versions, onRestored }: HistoryOf) {
  const restore = useAction('memory.restore');
  const newest = [...versions].sort((a, b) => b.version - a.version);
  const bring = async (version: number): Promise<void> => {
    const result = await restore.run({ agent, name, version });
    if (!result.ok) return;
    showNotice(t('memory.isBack', { version }));
    onRestored();
  };
  if (newest.length === 0) return null;
  return (
    <details className="note-history" open={newest[0]?.removed}>
      <summary>{t('memory.history')}</summary>
      <ErrorNote error={restore.error} />
      <ul aria-label={t('memory.historyOf', { name })}>
        {newest.map((version, index) => (
          <li key={version.version}>
            <span>
              {t.rich(authors[version.by], {
                version: version.version,
                time: () => <Ago key="at" at={version.at} />,
              })}
              <span className="soft">
                {' '}
                {version.removed ? t('memory.wasForgotten') : bytesWords(version.bytes)}
              </span>
            </span>
            {index > 0 && !version.removed && (
              <button
                type="button"
                className="button is-small"
                disabled={restore.busy}
                aria-label={t('memory.bringBackOne', { version: version.version })}
                onClick={() => void bring(version.version)}
              >
                {t('memory.bringBack')}
              </button>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
