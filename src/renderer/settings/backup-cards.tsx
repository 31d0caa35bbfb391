import { useState } from 'react';
import type { MethodOutput } from '../../contract/methods.ts';
import { t } from '../../language/texts.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';
import { useHost } from '../state/subscriptions.ts';
import { bytesWords } from '../words/amounts.ts';
import { visibleLine } from '../words/visible-text.ts';

/** A copy of everything, and how one is put back. */
export function BackupCards() {
  const make = useAction('backup.makeHere');
  const vault = useHost((host) => host?.vault.kind ?? 'none');
  const [made, setMade] = useState<MethodOutput<'backup.makeHere'> | null>(null);
  const run = async (): Promise<void> => {
    const result = await make.run({});
    if (result.ok) setMade(result.value);
  };
  return (
    <>
      <section className="card stack" aria-labelledby="backup-title">
        <h2 id="backup-title">{t('upkeep.backup')}</h2>
        <p className="soft">{t('upkeep.backupText')}</p>
        {vault === 'keychain' && <p>{t('upkeep.backupKeychain')}</p>}
        {vault === 'passphrase' && <p>{t('upkeep.backupPassphrase')}</p>}
        <div>
          <button type="button" className="button" disabled={make.busy} onClick={() => void run()}>
            {make.busy ? t('upkeep.backupMaking') : t('upkeep.backupMake')}
          </button>
        </div>
        <ErrorNote error={make.error} />
        {made !== null && <Made made={made} />}
      </section>
      <Restore path={made?.path ?? null} />
    </>
  );
}

function Made({ made: { files, bytes, path } }: { made: MethodOutput<'backup.makeHere'> }) {
  return (
    <div className="device-code" role="status">
      <p>
        {t.rich('upkeep.backupMade', {
          ...{ files, size: bytesWords(bytes) },
          path: () => <code className="path">{visibleLine(path)}</code>,
        })}
        <CopyButton label={t('upkeep.copyPath')} text={path} />
      </p>
      <p className="soft">{t('upkeep.backupMove')}</p>
    </div>
  );
}

/** As a shell takes it, whatever the path. */
const quoted = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;

function Restore({ path }: { path: string | null }) {
  const command = `kennel restore ${path === null ? 'FOLDER' : quoted(path)}`;
  return (
    <section className="card stack" aria-labelledby="restore-title">
      <h2 id="restore-title">{t('upkeep.restore')}</h2>
      <p className="soft">{t('upkeep.restoreText')}</p>
      <p>
        <code className="path">{visibleLine(command)}</code>
        <CopyButton label={t('upkeep.copyCommand')} text={command} />
      </p>
      <p className="soft">{t('upkeep.restoreApp')}</p>
      <p>{t('upkeep.restoreOnce')}</p>
    </section>
  );
}
