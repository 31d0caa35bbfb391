import { type NotifyKind, notifyKindSchema } from '../../contract/desktop-methods.ts';
import { t } from '../../language/texts.ts';
import { SwitchField } from '../parts/field.tsx';
import { InApp } from './general-cards.tsx';
import { QuietHoursCard } from './quiet-hours-card.tsx';

const words = {
  approvals: 'notifyApprovals',
  finished: 'notifyFinished',
  failed: 'notifyFailed',
  mentioned: 'notifyMentioned',
} as const satisfies Record<NotifyKind, string>;

export function NotifyCards() {
  return (
    <>
      <DesktopCards />
      <QuietHoursCard />
    </>
  );
}

function DesktopCards() {
  return (
    <InApp>
      {({ view: { settings }, set }) => (
        <>
          <section className="card stack" aria-labelledby="notify-title">
            <h2 id="notify-title">{t('settings.notifyTitle')}</h2>
            {notifyKindSchema.options.map((kind) => (
              <SwitchField
                key={kind}
                label={t(`settings.${words[kind]}`)}
                checked={settings.notify[kind]}
                onChange={(on) => set({ notify: { [kind]: on } })}
              />
            ))}
          </section>
          <section className="card stack" aria-labelledby="notify-text-title">
            <h2 id="notify-text-title">{t('settings.notifyTextTitle')}</h2>
            <SwitchField
              label={t('settings.notifyText')}
              hint={t('settings.notifyTextHint')}
              checked={settings.notifyText}
              onChange={(notifyText) => set({ notifyText })}
            />
          </section>
        </>
      )}
    </InApp>
  );
}
