import { type NotificationSettings, type Weekday, weekdays } from '../../contract/quiet-hours.ts';
import { locale, t } from '../../language/texts.ts';
import { SwitchField } from '../parts/field.tsx';
import { playSound } from '../parts/sound.ts';
import { act } from '../state/action.ts';
import { useHost, useReplica } from '../state/subscriptions.ts';

const usual = '22:00-07:00';

/** 2026-11-22 is a Sunday; the week starts on Monday, as in most calendars. */
const days = [...weekdays.slice(1), weekdays[0]] as const;
const dayName = (day: Weekday): string =>
  new Date(2026, 10, 22 + weekdays.indexOf(day)).toLocaleDateString(locale(), { weekday: 'long' });

/** Sounds and quiet hours; kept by the host, so they hold in the window, the tray and after a restart. */
export function QuietHoursCard() {
  const { link } = useReplica();
  const settings = useHost((view) => view?.notifications ?? null);
  if (settings === null) return null;
  return (
    <>
      <section className="card stack" aria-labelledby="sounds-title">
        <h2 id="sounds-title">{t('settings.soundsTitle')}</h2>
        <SwitchField
          label={t('settings.sounds')}
          checked={settings.sounds}
          onChange={(sounds) => {
            if (sounds) playSound();
            void act(link, 'notifications.set', { sounds });
          }}
        />
      </section>
      <section className="card stack" aria-labelledby="quiet-title">
        <h2 id="quiet-title">{t('settings.quietTitle')}</h2>
        <p className="soft">{t('settings.quietHint')}</p>
        <div className="quiet-days">
          {days.map((day) => (
            <Day key={day} day={day} span={settings.quietHours[day] ?? null} />
          ))}
        </div>
        <SwitchField
          label={t('settings.quietApprovals')}
          hint={t('settings.quietApprovalsHint')}
          checked={settings.quietApprovals}
          onChange={(quietApprovals) => void act(link, 'notifications.set', { quietApprovals })}
        />
      </section>
    </>
  );
}

interface DayOf {
  readonly day: Weekday;
  readonly span: NotificationSettings['quietHours'][Weekday] | null;
}

function Day({ day, span }: DayOf) {
  const { link } = useReplica();
  const name = dayName(day);
  const save = (next: string | null): void => {
    if (next !== null && next.slice(0, 5) === next.slice(6)) return;
    void act(link, 'notifications.set', { quietHours: { [day]: next } });
  };
  const [from, to] = [(span ?? usual).slice(0, 5), (span ?? usual).slice(6)];
  return (
    <div className="quiet-day">
      <SwitchField label={name} checked={span !== null} onChange={(on) => save(on ? usual : null)} />
      {span !== null && (
        <>
          <input
            type="time"
            aria-label={t('settings.quietFrom', { day: name })}
            value={from}
            onChange={({ target }) => target.value !== '' && save(`${target.value}-${to}`)}
          />
          <input
            type="time"
            aria-label={t('settings.quietTo', { day: name })}
            value={to}
            onChange={({ target }) => target.value !== '' && save(`${from}-${target.value}`)}
          />
        </>
      )}
    </div>
  );
}
