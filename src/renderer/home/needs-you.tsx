import { t } from '../../language/texts.ts';
import { AskList } from '../inbox/ask-list.tsx';
import { StateDot } from '../mark/dot.tsx';
import { Icon } from '../mark/icon.tsx';
import { Name } from '../parts/name.tsx';
import { Ago } from '../parts/time.tsx';
import { InviteCards, useInvites } from '../spaces/invite-cards.tsx';
import { act } from '../state/action.ts';
import { useAsking, useShown } from '../state/asked.ts';
import type { Need } from '../state/needs.ts';
import { go } from '../state/route.ts';
import { say } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';
import { visibleLine } from '../words/visible-text.ts';
import { HeldPeople, useHeld } from './held-people.tsx';

/** Number of approval cards; the inbox shows the others. */
const mostCards = 3;

/** Everything that waits for the operator, answered here or by following a link. */
export function NeedsYou({ needs }: { needs: readonly Need[] }) {
  const shown = useShown(useAsking());
  const invites = useInvites();
  const held = useHeld();
  const cards = shown.slice(0, mostCards);
  const rest = shown.length - cards.length;
  const nothing = needs.length + shown.length + invites.length + held.people.length === 0;
  return (
    <section className="card home-needs" aria-labelledby="home-needs">
      <h2 id="home-needs">{t('home.needsYou')}</h2>
      <AskList shown={cards} compact />
      {rest > 0 && (
        <button type="button" className="link ask-rest" onClick={() => go({ view: 'inbox', id: null })}>
          {t('home.moreQuestions', { count: rest })}
        </button>
      )}
      {nothing && (
        <p className="card-empty">
          <Icon name="check" size={16} /> {t('home.needsNobody')}
        </p>
      )}
      {needs.length > 0 && (
        <ul className="need-list">
          {needs.map((need) => (
            <NeedRow key={need.key} need={need} />
          ))}
        </ul>
      )}
      {invites.length > 0 && <InviteCards invites={invites} />}
      <HeldPeople held={held} />
    </section>
  );
}

function NeedRow({ need }: { need: Need }) {
  const { agent } = need;
  return (
    <li className={`need is-${need.tone}`}>
      {agent === null ? <Icon name="warning" size={16} /> : <StateDot state={agent.dot} />}
      <div className="need-words">
        <p>
          {agent !== null && (
            <strong>
              <Name>{agent.displayName}</Name>{' '}
            </strong>
          )}
          {visibleLine(need.text)}
        </p>
        <p className="soft">
          {visibleLine(need.hint)} {need.at !== null && <Ago at={need.at} />}
        </p>
      </div>
      <div className="need-answers">
        <DirectAnswer need={need} />
        {need.leads !== null && <LeadButton leads={need.leads} />}
      </div>
    </li>
  );
}

function LeadButton({ leads: [words, route] }: { leads: NonNullable<Need['leads']> }) {
  return (
    <button type="button" className="button is-small" onClick={() => go(route)}>
      {words}
    </button>
  );
}

/** One-click answers: continue a braked thread, restart a failed agent. */
function DirectAnswer({ need: { agent, brake } }: { need: Need }) {
  const { link } = useReplica();
  if (brake !== null) {
    const { agentId, roomId, rootId } = brake;
    const goOn = async (): Promise<void> => {
      if (await act(link, 'brake.continue', { agent: agentId, room: roomId, rootId })) say(t('home.wentOn'));
    };
    return (
      <button type="button" className="button is-small is-primary" onClick={() => void goOn()}>
        {t('home.goOn')}
      </button>
    );
  }
  if (agent === null || agent.configError !== null || agent.life !== 'gave_up') return null;
  const restart = async (): Promise<void> => {
    if (await act(link, 'agents.restart', { agent: agent.id }))
      say(t('home.restarted', { name: visibleLine(agent.displayName) }));
  };
  return (
    <button type="button" className="button is-small is-primary" onClick={() => void restart()}>
      {t('home.restart')}
    </button>
  );
}
