import type { ReactNode } from 'react';
import { trayPanelSchema } from '../../contract/desktop-methods.ts';
import { t } from '../../language/texts.ts';
import { SwitchField } from '../parts/field.tsx';
import { Segments } from '../parts/segments.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { AskShortcutCard } from './ask-shortcut-card.tsx';
import { type DesktopReplica, useDesktop } from './use-desktop.ts';

const panels = { auto: 'panelAuto', light: 'panelLight', dark: 'panelDark' } as const;

export function GeneralCards() {
  return <InApp>{(desktop) => <Cards {...desktop} />}</InApp>;
}

type There = DesktopReplica & { readonly view: NonNullable<DesktopReplica['view']> };

/** Renders content that needs the desktop app, or a note that it is unavailable in a browser. */
export function InApp({ children }: { children: (desktop: There) => ReactNode }) {
  const desktop = useDesktop();
  const { state, view } = desktop;
  if (view !== null) return children({ ...desktop, view });
  if (state === 'reading') return <Skeleton words={t('settings.reading')} shape="form" count={3} card />;
  return (
    <section className="card stack" aria-labelledby="app-only-title">
      <h2 id="app-only-title">{t('settings.appOnlyTitle')}</h2>
      <p className="soft">{t('settings.appOnly')}</p>
    </section>
  );
}

function Cards({ view: { settings, host, tray, update, isShortcutTaken }, set }: There) {
  return (
    <>
      <section className="card stack" aria-labelledby="startup-title">
        <h2 id="startup-title">{t('settings.startup')}</h2>
        <SwitchField
          label={t('settings.startAtLogin')}
          hint={t('settings.startAtLoginHint')}
          checked={settings.startAtLogin}
          onChange={(startAtLogin) => set({ startAtLogin })}
        />
        <div>
          <h3>{t('settings.closing')}</h3>
          <p className="soft">{t(tray ? 'settings.closingTray' : 'settings.closingNoTray')}</p>
          {host.by === 'other' && host.pid !== null && (
            <p className="soft">{t('settings.otherHost', { pid: String(host.pid) })}</p>
          )}
        </div>
      </section>
      <AskShortcutCard
        shortcut={settings.askShortcut}
        isTaken={isShortcutTaken}
        onChange={(askShortcut) => set({ askShortcut })}
      />
      {tray && (
        <section className="card stack" aria-labelledby="panel-title">
          <h2 id="panel-title">{t('settings.panel')}</h2>
          <div className="setting">
            <span className="soft">{t('settings.panelHint')}</span>
            <Segments
              label={t('settings.panel')}
              value={settings.trayPanel}
              options={trayPanelSchema.options.map((one) => [one, t(`settings.${panels[one]}`)] as const)}
              onChange={(trayPanel) => set({ trayPanel })}
            />
          </div>
        </section>
      )}
      <section className="card stack" aria-labelledby="updates-title">
        <h2 id="updates-title">{t('settings.updates')}</h2>
        {update.configured ? (
          <SwitchField
            label={t('settings.updates')}
            hint={t('settings.updatesHint')}
            checked={settings.updates}
            onChange={(updates) => set({ updates })}
          />
        ) : (
          <p className="soft">{t('settings.updatesUnknown')}</p>
        )}
        {update.ready !== null && <p>{t('settings.updateReady', { version: update.ready })}</p>}
      </section>
    </>
  );
}
