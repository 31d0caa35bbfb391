import { useState } from 'react';
import { useNeeds, useWaiting } from '../state/needs.ts';
import { useAgents, useHost } from '../state/subscriptions.ts';
import { plural } from '../words/amounts.ts';
import { spendWords } from '../words/money.ts';
import { Happened } from './happened.tsx';
import { NeedsYou } from './needs-you.tsx';
import { Running } from './running.tsx';
import { StartHere } from './start-here.tsx';

/** What a person wants to know first: who needs me, what is running, what happened. */
export function Home() {
  const needs = useNeeds();
  const count = useWaiting();
  // What needs the person comes first, and stays there after the answer: nothing jumps under the hand.
  const [called, setCalled] = useState(false);
  if (count > 0 && !called) setCalled(true);
  const working = useAgents(
    (agents) => Object.values(agents ?? {}).filter((one) => one.dot === 'working').length,
  );
  const total = useAgents((agents) => Object.keys(agents ?? {}).length);
  const name = useHost((host) => host?.operator?.displayName ?? '');
  const spent = useHost((host) => host?.spentToday ?? null);
  const demo = useHost((host) => host?.demo ?? false);
  const waiting = count === 0 ? 'Nothing waits for you' : `${plural(count, 'thing')} for you to look at`;
  const busy =
    total === 0
      ? 'no agents yet'
      : working === 0
        ? 'all agents are resting'
        : `${plural(working, 'agent')} working`;
  return (
    <div className="page home">
      <header className="page-head">
        <div>
          <h1>{greeting(name)}</h1>
          <p className="soft">
            {waiting}, {busy}.{spent !== null && ` Today cost ${spendWords(spent)}.`}
          </p>
        </div>
      </header>
      <div className="home-grid">
        {demo && !called && <StartHere />}
        <NeedsYou needs={needs} />
        {demo && called && <StartHere />}
        <Running />
        <Happened />
      </div>
    </div>
  );
}

function greeting(name: string): string {
  const hour = new Date().getHours();
  const part =
    hour < 5 ? 'Good night' : hour < 12 ? 'Good morning' : hour < 18 ? 'Good afternoon' : 'Good evening';
  return name === '' || name.toLowerCase() === 'you' ? part : `${part}, ${name}`;
}
