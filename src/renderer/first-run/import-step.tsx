import { useState } from 'react';
import { t } from '../../language/texts.ts';
import { ImportDialog } from '../agents/moving/import-dialog.tsx';
import { CommandLine } from '../parts/command-line.tsx';
import { RestoreFlow } from '../settings/restore-flow.tsx';
import { useDesktop } from '../settings/use-desktop.ts';
import { setSettingUp } from '../state/screen.ts';
import { Welcome } from './welcome.tsx';

/** Import commands for the default folders of each platform. */
const home = 'kennel import ~/.puffo-agent';
const keysOf = (platform: string): string => {
  if (/mac/i.test(platform)) return 'kennel import ~/"Library/Application Support/ai.puffo.puffo-cli/keys"';
  if (/win/i.test(platform)) return 'kennel import "%APPDATA%\\puffo\\puffo-cli\\data\\keys"';
  return 'kennel import ~/.local/share/puffo/puffo-cli/keys';
};

/** Explains the imports. After the first one, the frame replaces this page. */
export function ImportStep({ onBack }: { onBack(): void }) {
  const desktop = useDesktop();
  const [choosing, setChoosing] = useState(false);
  // An import ends the first run, so the page stays until the dialog with its result is closed.
  const choose = (now: boolean): void => {
    setChoosing(now);
    setSettingUp(now);
  };
  return (
    <Welcome state="idle" title={t('firstRun.importTitle')}>
      <div className="stack import-ways">
        <section aria-labelledby="import-folder">
          <h2 id="import-folder">{t('firstRun.importFolder')}</h2>
          {desktop.view === null ? (
            <InTerminal />
          ) : (
            <>
              <p className="soft">{t('firstRun.importFolderHere')}</p>
              <p className="button-row">
                <button type="button" className="button" onClick={() => choose(true)}>
                  {t('firstRun.importOpenFolder')}
                </button>
              </p>
            </>
          )}
        </section>
        {desktop.view?.host.by === 'app' && (
          <section aria-labelledby="import-backup">
            <h2 id="import-backup">{t('firstRun.importBackup')}</h2>
            <p className="soft">{t('upkeep.restoreHere')}</p>
            <RestoreFlow view={desktop.view} />
          </section>
        )}
        <section aria-labelledby="import-file">
          <h2 id="import-file">{t('firstRun.importFile')}</h2>
          <p className="soft">{t('firstRun.importFileText')}</p>
          <p className="button-row">
            <button type="button" className="button" onClick={() => choose(true)}>
              {t('firstRun.importOpen')}
            </button>
          </p>
        </section>
        <p className="fine">{t('firstRun.importWaits')}</p>
      </div>
      <button type="button" className="button is-plain is-wide" onClick={onBack}>
        {t('firstRun.back')}
      </button>
      {choosing && <ImportDialog onClose={() => choose(false)} />}
    </Welcome>
  );
}

/** For browsers: a page cannot search folders or read key stores. */
function InTerminal() {
  return (
    <>
      <p className="soft">{t('firstRun.importFolderText')}</p>
      <CommandLine command={home} label={t('firstRun.copyCommand')} />
      <h2>{t('firstRun.importKeys')}</h2>
      <p className="soft">{t('firstRun.importKeysText')}</p>
      <CommandLine command={keysOf(navigator.platform)} label={t('firstRun.copyCommand')} />
    </>
  );
}
