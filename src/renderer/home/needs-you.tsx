import { AskList } from '../inbox/ask-list.tsx';
import { StateDot } from '../mark/dot.tsx';
import { Icon } from '../mark/icon.tsx';
import { Name } from '../parts/name.tsx';
import { Ago } from '../parts/time.tsx';
import { useAsking, useShown } from '../state/asked.ts';
import type { Need } from '../state/needs.ts';
import { go, type Route } from '../state/route.ts';
import { plural } from '../words/amounts.ts';

/** More questions than these are one click away in the inbox. */
const mostCards = 3;

export function NeedsYou({ needs }: { needs: readonly Need[] }) {
  const shown = useShown(useAsking());
  const cards = shown.slice(0, mostCards);
  const rest = shown.length - cards.length;
  return (
    <section className="card home-needs" aria-labelledby="home-needs">
      <h2 id="home-needs">Needs you</h2>
      <AskList shown={cards} compact />
      {rest > 0 && (
        <button type="button" className="link ask-rest" onClick={() => go({ view: 'inbox', id: null })}>
          {plural(rest, 'more question')} in the inbox
        </button>
      )}
      {needs.length === 0 && shown.length === 0 ? (
        <p className="card-empty">
          <Icon name="check" size={16} /> Nothing. Agents will ask here when they need a decision.
        </p>
      ) : (
        <ul className="need-list">
          {needs.map((need) => (
            <NeedRow key={need.key} need={need} />
          ))}
        </ul>
      )}
    </section>
  );
}

function LeadButton({ leads: [words, route] }: { leads: readonly [string, Route] }) {
  return (
    <button type="button" className="button is-small" onClick={() => go(route)}>
      {words}
    </button>
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
          {need.text}
        </p>
        <p className="soft">
          {need.hint} {need.at !== null && <Ago at={need.at} />}
        </p>
      </div>
      {need.leads !== null && <LeadButton leads={need.leads} />}
    </li>
  );
}
