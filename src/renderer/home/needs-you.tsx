import { StateDot } from '../mark/dot.tsx';
import { Icon } from '../mark/icon.tsx';
import { Name } from '../parts/name.tsx';
import { Ago } from '../parts/time.tsx';
import type { Need } from '../state/needs.ts';
import { go } from '../state/route.ts';

export function NeedsYou({ needs }: { needs: readonly Need[] }) {
  return (
    <section className="card home-needs" aria-labelledby="home-needs">
      <h2 id="home-needs">Needs you</h2>
      {needs.length === 0 ? (
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
      {agent !== null && (
        <button
          type="button"
          className="button is-small"
          onClick={() => go({ view: 'agents', agent: agent.id })}
        >
          Open
        </button>
      )}
    </li>
  );
}
