import type { BrowserSession, LockKind } from '../../contract/lock-methods.ts';
import { t } from '../../language/texts.ts';
import { lockMethod } from '../client/link.ts';
import { ChoiceField } from '../parts/field.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Ago } from '../parts/time.tsx';
import { useAction } from '../state/action.ts';
import { useReplica } from '../state/subscriptions.ts';
import { useRead } from '../state/use-read.ts';
import { ChangePassphrase } from './change-passphrase.tsx';
import { useDesktop } from './use-desktop.ts';

/** Lock of the windows, and the sessions of browsers. */
export function SessionCard() {
  const { value: view, reload } = useRead('lock.view');
  return (
    <>
      <LockCard kind={view?.kind ?? null} onChanged={() => void reload()} />
      <BrowsersCard browsers={view?.browsers ?? []} onChanged={() => void reload()} />
    </>
  );
}

const idleMinutes = ['0', '1', '5', '15', '60'] as const;

function LockCard({ kind, onChanged }: { kind: LockKind | null; onChanged(): void }) {
  const lock = useAction(lockMethod(useReplica().link));
  const desktop = useDesktop();
  const minutes = String(desktop.view?.settings.lockAfterMin ?? 0);
  return (
    <section className="card stack" aria-labelledby="lock-title">
      <h2 id="lock-title">{t('settings.lock')}</h2>
      <p className="soft">{t('settings.lockText')}</p>
      {kind === 'none' && <p>{t('settings.lockNone')}</p>}
      {kind !== 'none' && desktop.view !== null && (
        <ChoiceField
          label={t('settings.lockAfter')}
          value={idleMinutes.find((one) => one === minutes) ?? '0'}
          options={idleMinutes.map((one) => [one, t('settings.lockAfterMin', { min: Number(one) })] as const)}
          onChange={(chosen) => desktop.set({ lockAfterMin: Number(chosen) })}
        />
      )}
      <div className="actions">
        <button
          type="button"
          className="button"
          disabled={kind === null || kind === 'none'}
          onClick={() => void lock.run({})}
        >
          {t('palette.lock')}
        </button>
      </div>
      <ErrorNote error={lock.error} />
      {kind === 'none' && <ChangePassphrase of="lock" isNew onDone={onChanged} />}
      {kind === 'own' && (
        <details>
          <summary>{t('settings.lockChange')}</summary>
          <ChangePassphrase of="lock" onDone={onChanged} />
        </details>
      )}
    </section>
  );
}

function BrowsersCard({ browsers, onChanged }: { browsers: readonly BrowserSession[]; onChanged(): void }) {
  const { signOut } = useReplica().link;
  const signOutAll = useAction('host.signOutBrowsers');
  const end = useAction('lock.endBrowser');
  const after = async (work: Promise<unknown>): Promise<void> => {
    await work;
    onChanged();
  };
  return (
    <section className="card stack" aria-labelledby="session-title">
      <h2 id="session-title">{t('settings.session')}</h2>
      <p className="soft">{t('settings.sessionText')}</p>
      {browsers.length === 0 && <p className="card-empty">{t('settings.noBrowsers')}</p>}
      {browsers.length > 0 && (
        <ul className="logins" aria-label={t('settings.session')}>
          {browsers.map(({ id, since, usedAt, pages }, index) => (
            <li key={id}>
              <span>
                {t('settings.browser', { number: index + 1, pages })}{' '}
                <span className="soft">
                  {t.rich('settings.browserTimes', {
                    since: () => <Ago key="since" at={since} />,
                    used: () => <Ago key="used" at={usedAt} />,
                  })}
                </span>
              </span>
              <button type="button" className="button is-small" onClick={() => void after(end.run({ id }))}>
                {t('settings.signOutOne')}
                <span className="visually-hidden"> {index + 1}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="actions">
        {signOut !== undefined && (
          <button type="button" className="button" onClick={signOut}>
            {t('settings.signOut')}
          </button>
        )}
        <button type="button" className="button" onClick={() => void after(signOutAll.run({}))}>
          {t('settings.signOutAll')}
        </button>
      </div>
      <ErrorNote error={end.error ?? signOutAll.error} />
    </section>
  );
}
