import type { ReactNode } from 'react';
import { Icon, type IconName } from '../mark/icon.tsx';
import { go } from '../state/route.ts';
import { showServerView } from '../state/screen.ts';
import { useAgents, useRooms } from '../state/subscriptions.ts';

/** Three first steps for the demo; each leads straight to the place. */
export function StartHere() {
  const channel = useRooms(
    (rooms) => Object.values(rooms?.rooms ?? {}).find((room) => room.kind === 'channel')?.id ?? null,
  );
  const guide = useAgents((agents) => agents?.guide?.id ?? Object.keys(agents ?? {})[0] ?? null);
  const open = (): void => go({ view: 'chat', room: channel });
  return (
    <section className="card start-here" aria-labelledby="home-start">
      <h2 id="home-start">Start here</h2>
      <div className="start-steps">
        <Step icon="chat" title="Say hello" onGo={open}>
          Mention Guide in general and watch the answer arrive. Ask it to <em>write hello.md</em>, and it asks
          you first.
        </Step>
        <Step
          icon="eye"
          title="See what the server sees"
          onGo={() => {
            open();
            showServerView(true);
          }}
        >
          The same room, read from the server’s own store.
        </Step>
        <Step icon="agents" title="Meet your agents" onGo={() => go({ view: 'agents', agent: guide })}>
          Give one a name, a role and a soul.
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
