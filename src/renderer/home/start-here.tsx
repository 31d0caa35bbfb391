import type { ReactNode } from 'react';
import { t } from '../../language/texts.ts';
import { askMakeReal } from '../first-run/make-real-state.ts';
import { Icon, type IconName } from '../mark/icon.tsx';
import { RemoveDemo } from '../settings/remove-demo.tsx';
import { openSpaceDialog } from '../spaces/open-dialog.ts';
import { go } from '../state/route.ts';
import { askNewAgent, showServerView } from '../state/screen.ts';
import { useAgents, useHost, useRooms } from '../state/subscriptions.ts';
import { type StepName, stepNames, useFirstSteps } from './use-first-steps.ts';

/** First steps: things to try in the demo, and a checklist that ticks itself and then goes away. */
export function StartHere() {
  const { done, hide } = useFirstSteps();
  const demo = useHost((host) => host?.demo ?? false);
  if (done === null) return null;
  const count = stepNames.filter((name) => done[name]).length;
  return (
    <section className="card start-here" aria-labelledby="home-start">
      <header className="card-head">
        <div>
          <h2 id="home-start">{t('home.start')}</h2>
          <p className="soft">{t('home.startDone', { count, total: stepNames.length })}</p>
        </div>
        <button type="button" className="button is-small" onClick={hide}>
          {t('home.startHide')}
        </button>
      </header>
      {demo && <DemoTiles />}
      <ol className="first-steps">
        {stepNames.map((name) => (
          <Step key={name} name={name} isDone={done[name]} demo={demo} />
        ))}
      </ol>
      {demo && (
        <div className="start-foot">
          <p className="soft">{t('home.demoFoot')}</p>
          <RemoveDemo />
        </div>
      )}
    </section>
  );
}

interface StepOf {
  readonly name: StepName;
  readonly isDone: boolean;
  readonly demo: boolean;
}

function Step({ name, isDone, demo }: StepOf) {
  const space = useRooms((rooms) => rooms?.spaces[0]?.id ?? null);
  const scripted = useAgents((agents) => (demo && agents?.guide?.scripted ? 'guide' : null));
  const run: Readonly<Record<StepName, () => void>> = {
    model: () => (scripted === null ? go({ view: 'settings', section: 'models' }) : askMakeReal(scripted)),
    agent: () => {
      go({ view: 'agents', agent: null });
      askNewAgent(true);
    },
    device: () => go({ view: 'settings', section: demo ? 'bridge' : 'devices' }),
    invite: () =>
      openSpaceDialog(
        space === null ? { type: 'new-space' } : { type: 'invite', spaceId: space, roomId: null },
      ),
    backup: () => go({ view: 'settings', section: 'backup' }),
  };
  const title = name === 'model' && scripted !== null ? t('home.makeReal') : t(`home.step_${name}`);
  return (
    <li className={`first-step${isDone ? ' is-done' : ''}`}>
      <span className="step-tick" aria-hidden="true">
        {isDone && <Icon name="check" size={13} />}
      </span>
      <div>
        <strong>{title}</strong>
        {isDone && <span className="visually-hidden"> {t('home.stepDone')}</span>}
        {!isDone && <p className="soft">{t(`home.step_${name}Text`)}</p>}
      </div>
      {!isDone && (
        <button type="button" className="button is-small" onClick={run[name]}>
          {t(`home.step_${name}Go`)}
          <span className="visually-hidden">: {title}</span>
        </button>
      )}
    </li>
  );
}

function DemoTiles() {
  const channel = useRooms(
    (rooms) => Object.values(rooms?.rooms ?? {}).find((room) => room.kind === 'channel')?.id ?? null,
  );
  const guide = useAgents((agents) => agents?.guide?.id ?? Object.keys(agents ?? {})[0] ?? null);
  const open = (): void => go({ view: 'chat', room: channel });
  return (
    <div className="start-steps">
      <Tile icon="chat" title={t('home.hello')} onGo={open}>
        {t.rich('home.helloText', { em: (chunks) => <em key="em">{chunks}</em> })}
      </Tile>
      <Tile
        icon="eye"
        title={t('home.serverSees')}
        onGo={() => {
          open();
          showServerView(true);
        }}
      >
        {t('home.serverSeesText')}
      </Tile>
      <Tile icon="agents" title={t('home.meet')} onGo={() => go({ view: 'agents', agent: guide })}>
        {t('home.meetText')}
      </Tile>
    </div>
  );
}

interface TileOf {
  readonly icon: IconName;
  readonly title: string;
  readonly children: ReactNode;
  onGo(): void;
}

function Tile({ icon, title, children, onGo }: TileOf) {
  return (
    <button type="button" className="start-step" onClick={onGo}>
      <Icon name={icon} />
      <strong>{title}</strong>
      <span className="soft">{children}</span>
    </button>
  );
}
