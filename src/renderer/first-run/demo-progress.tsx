import { t } from '../../language/texts.ts';
import { StateDot } from '../mark/dot.tsx';
import { Icon } from '../mark/icon.tsx';
import { Mark } from '../mark/mark.tsx';
import { useAgents, useHost, useRooms } from '../state/subscriptions.ts';

/** Each step is marked as done when the host's state shows it, never by a timer. */
export function DemoProgress() {
  const server = useHost((host) => host?.relay.url !== null && host?.relay.url !== undefined);
  const you = useHost((host) => host?.operator !== null && host?.operator !== undefined);
  const room = useRooms((rooms) => Object.values(rooms?.rooms ?? {}).some((one) => one.kind === 'channel'));
  const helpers = useAgents((agents) => Object.keys(agents ?? {}).length >= 2);
  const steps: readonly (readonly [string, boolean])[] = [
    [t('firstRun.stepServer'), server],
    [t('firstRun.stepYou'), you],
    [t('firstRun.stepRoom'), room],
    [t('firstRun.stepHelpers'), helpers],
  ];
  const current = steps.findIndex(([, done]) => !done);
  return (
    <main className="welcome">
      <div className="welcome-card" aria-busy="true">
        <Mark state="working" size={64} />
        <h1>{t('firstRun.settingUp')}</h1>
        <ul className="steps" aria-live="polite">
          {steps.map(([words, done], index) => (
            <li key={words} className={done ? 'is-done' : index === current ? 'is-now' : ''}>
              {done ? (
                <Icon name="check" size={16} />
              ) : (
                <StateDot
                  state={index === current ? 'working' : 'offline'}
                  label={index === current ? t('firstRun.inProgress') : t('firstRun.waiting')}
                />
              )}
              <span>{words}</span>
            </li>
          ))}
        </ul>
        <p className="fine">{t('firstRun.takesSeconds')}</p>
      </div>
    </main>
  );
}
