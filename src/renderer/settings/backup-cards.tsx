import { type ReactNode, useState } from 'react';
import type { DesktopView } from '../../contract/desktop-methods.ts';
import { t } from '../../language/texts.ts';
import { bytesWords } from '../format/amounts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useAction } from '../state/action.ts';
import { useHost } from '../state/subscriptions.ts';
import { RestoreFlow } from './restore-flow.tsx';
import { useDesktop } from './use-desktop.ts';

interface MadeBackup {
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
}

/** Creates and restores backups; the desktop app uses the system's file dialogs. */
export function BackupCards() {
  const { state, view } = useDesktop();
  const [made, setMade] = useState<MadeBackup | null>(null);
  if (state === 'reading') return <Skeleton words={t('settings.reading')} shape="form" count={3} card />;
  return (
    <>
      {view === null ? <MakeHere made={made} onMade={setMade} /> : <SaveAs made={made} onMade={setMade} />}
      <Restore view={view} path={made?.path ?? null} />
    </>
  );
}

interface Making {
  readonly made: MadeBackup | null;
  onMade(made: MadeBackup): void;
}

function SaveAs({ made, onMade }: Making) {
  const save = useAction('desktop.saveBackup');
  const run = async (): Promise<void> => {
    const result = await save.run({});
    if (result.ok && result.value.saved !== null) onMade(result.value.saved);
  };
  return (
    <BackupCard made={made} action={save}>
      <button type="button" className="button" disabled={save.busy} onClick={() => void run()}>
        {save.busy ? t('upkeep.backupMaking') : t('upkeep.backupSave')}
      </button>
    </BackupCard>
  );
}

function MakeHere({ made, onMade }: Making) {
  const make = useAction('backup.makeHere');
  const run = async (): Promise<void> => {
    const result = await make.run({});
    if (result.ok) onMade(result.value);
  };
  return (
    <BackupCard made={made} action={make}>
      <button type="button" className="button" disabled={make.busy} onClick={() => void run()}>
        {make.busy ? t('upkeep.backupMaking') : t('upkeep.backupMake')}
      </button>
    </BackupCard>
  );
}

interface CardOf {
  readonly made: MadeBackup | null;
  readonly action: Pick<ReturnType<typeof useAction>, 'error'>;
  readonly children: ReactNode;
}

function BackupCard({ made, action, children }: CardOf) {
  const vault = useHost((host) => host?.vault.kind ?? 'none');
  return (
    <section className="card stack" aria-labelledby="backup-title">
      <h2 id="backup-title">{t('upkeep.backup')}</h2>
      <p className="soft">{t('upkeep.backupText')}</p>
      {vault === 'keychain' && <p>{t('upkeep.backupKeychain')}</p>}
      {vault === 'passphrase' && <p>{t('upkeep.backupPassphrase')}</p>}
      <div>{children}</div>
      <ErrorNote error={action.error} />
      {made !== null && <Made made={made} />}
    </section>
  );
}

function Made({ made: { files, bytes, path } }: { made: MadeBackup }) {
  return (
    <div className="device-code" role="status">
      <p>
        {t.rich('upkeep.backupMade', {
          files,
          size: bytesWords(bytes),
          path: () => <code className="path">{visibleLine(path)}</code>,
        })}
        <CopyButton label={t('upkeep.copyPath')} text={path} />
      </p>
      <p className="soft">{t('upkeep.backupMove')}</p>
    </div>
  );
}

/** Quotes a path for a POSIX shell. */
const quoted = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;

function Restore({ view, path }: { view: DesktopView | null; path: string | null }) {
  // The app can stop only a host that it started itself.
  const own = view?.host.by === 'app' ? view : null;
  return (
    <section className="card stack" aria-labelledby="restore-title">
      <h2 id="restore-title">{t('upkeep.restore')}</h2>
      <p className="soft">{own === null ? t('upkeep.restoreText') : t('upkeep.restoreHere')}</p>
      {own === null ? <InTerminal path={path} /> : <RestoreFlow view={own} />}
      <p className="soft">{t('upkeep.restoreApp')}</p>
      <p>{t('upkeep.restoreOnce')}</p>
    </section>
  );
}

function InTerminal({ path }: { path: string | null }) {
  const command = `kennel restore ${path === null ? 'FOLDER' : quoted(path)}`;
  return (
    <p>
      <code className="path">{visibleLine(command)}</code>
      <CopyButton label={t('upkeep.copyCommand')} text={command} />
    </p>
  );
}
