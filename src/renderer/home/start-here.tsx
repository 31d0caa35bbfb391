import type { ReactNode } from 'react';
import { t } from '../../language/texts.ts';
import { askMakeReal } from '../first-run/make-real-state.ts';
import { Icon, type IconName } from '../mark/icon.tsx';
import { go } from '../state/route.ts';
import { showServerView } from '../state/screen.ts';
import { useAgents, useRooms } from '../state/subscriptions.ts';

/** First steps for the demo; each links to its page. */
export function StartHere() {
  const channel = useRooms(
    (rooms) => Object.values(rooms?.rooms ?? {}).find((room) => room.kind === 'channel')?.id ?? null,
  );
  const guide = useAgents((agents) => agents?.guide?.id ?? Object.keys(agents ?? {})[0] ?? null);
  const scripted = useAgents((agents) => agents?.guide?.scripted ?? false);
  const open = (): void => go({ view: 'chat', room: channel });
  return (
    <section className="card start-here" aria-labelledby="home-start">
      <h2 id="home-start">{t('home.start')}</h2>
      <div className="start-steps">
        <Step icon="chat" title={t('home.hello')} onGo={open}>
          {t.rich('home.helloText', { em: (chunks) => <em key="em">{chunks}</em> })}
        </Step>
        {scripted && (
          <Step icon="play" title={t('home.makeReal')} onGo={() => askMakeReal('guide')}>
            {t('home.makeRealText')}
          </Step>
        )}
        <Step
          icon="eye"
          title={t('home.serverSees')}
          onGo={() => {
            open();
            showServerView(true);
          }}
        >
          {t('home.serverSeesText')}
        </Step>
        <Step icon="agents" title={t('home.meet')} onGo={() => go({ view: 'agents', agent: guide })}>
          {t('home.meetText')}
        </Step>
      </div>
    </section>
  );
}

interface StepOf {
  readonly icon: IconName;
  readonly title: string;
  readonly children: ReactNode;
  onGo(): void;
}

function Step({ icon, title, children, onGo }: StepOf) {
  return (
    <button type="button" className="start-step" onClick={onGo}>
      <Icon name={icon} />
      <strong>{title}</strong>
      <span className="soft">{children}</span>
    </button>
  );
}
