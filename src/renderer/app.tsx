import { useEffect } from 'react';
import { localize, t } from '../language/texts.ts';
import { Splash } from './first-run/splash.tsx';
import { overallDot } from './format/states.ts';
import { visibleLine } from './format/visible-text.ts';
import { Frame } from './frame/frame.tsx';
import { useLoneId } from './inbox/approval-address.ts';
import { latePart } from './lazy/lazy-part.tsx';
import { PartMissing } from './lazy/part-missing.tsx';
import type { WaitingOf } from './lazy/waiting.tsx';
import { showFavicon } from './mark/favicon.ts';
import { Notices } from './parts/notices.tsx';
import { useIsQuickAsk } from './quick-ask/quick-ask-address.ts';
import { useAsked } from './state/approvals.ts';
import { useSpoken } from './state/preferences.ts';
import { speak, useScreen } from './state/screen.ts';
import {
  type Replica,
  ReplicaContext,
  useAgents,
  useHost,
  useLine,
  useStandingTopics,
} from './state/subscriptions.ts';

const Waiting = ({ missing }: WaitingOf) => <Splash state="up">{missing && <PartMissing />}</Splash>;
const Locked = latePart(async () => (await import('./first-run/locked.tsx')).Locked, Waiting);
const FirstRun = latePart(async () => (await import('./first-run/first-run.tsx')).FirstRun, Waiting);
const NoSession = latePart(async () => (await import('./first-run/signed-out.tsx')).NoSession, Waiting);
const QuickAsk = latePart(async () => (await import('./quick-ask/quick-ask.tsx')).QuickAsk, Waiting);
const LoneApproval = latePart(
  async () => (await import('./inbox/approval-window.tsx')).LoneApproval,
  Waiting,
);

export function App({ replica }: { replica: Replica }) {
  useStandingTopics(replica);
  const { language } = useSpoken();
  return (
    <ReplicaContext value={replica}>
      <Screens key={language} />
      <Said key={`notices ${language}`} />
      <Announcer />
    </ReplicaContext>
  );
}

/** Toasts and spoken sentences may name people and files, so a locked page has none. */
function Said() {
  return useLine() === 'locked' ? null : <Notices />;
}

function Screens() {
  const known = useHost((host) => host !== null);
  const state = useHost((host) => host?.state ?? 'starting');
  const firstRun = useHost((host) => host?.firstRun ?? false);
  const settingUp = useScreen((screen) => screen.settingUp);
  const line = useLine();
  const lone = useLoneId();
  const isQuickAsk = useIsQuickAsk();
  if (line === 'signedOut' || line === 'locked') return <NoSession isLocked={line === 'locked'} />;
  if (isQuickAsk && state !== 'locked' && !firstRun) return <QuickAsk />;
  if (!known) return <Splash state={line} />;
  if (state === 'locked') return <Locked />;
  if (lone !== null) return <LoneApproval key={lone} id={lone} />;
  if (firstRun || settingUp) return <FirstRun />;
  return <Frame />;
}

/** Announces agents that need attention to screen readers and keeps the tab's icon current. */
function Announcer() {
  const line = useLine();
  const overall = useAgents((agents) => overallDot(Object.values(agents ?? {}).map((agent) => agent.dot)));
  const calling = useAgents((agents) =>
    Object.values(agents ?? {})
      .filter((agent) => agent.dot === 'needs_you' || agent.dot === 'error')
      .map(({ displayName, dot }) =>
        t(dot === 'error' ? 'states.hasFailed' : 'states.needsYou', { name: visibleLine(displayName) }),
      )
      .join('. '),
  );
  const asking = useAsked().at(-1);
  const question =
    asking === undefined
      ? ''
      : t('states.asks', {
          name: visibleLine(asking.agentName),
          what: visibleLine(localize(asking.title).replace(/[^.?]$/, '$&.')),
        });
  useEffect(() => {
    if (question !== '') speak(question);
  }, [question]);
  useEffect(() => showFavicon(overall), [overall]);
  useEffect(() => {
    if (calling !== '') speak(calling);
  }, [calling]);
  useEffect(() => {
    if (line === 'lost') speak(t('states.lineLost'));
  }, [line]);
  return null;
}
