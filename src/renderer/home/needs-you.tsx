import type { QueueItem } from '../../contract/operator-queue.ts';
import { t } from '../../language/texts.ts';
import { AskList } from '../inbox/ask-list.tsx';
import { isOther, LeadButton, NeedRow, ProblemRow, QueueRows } from '../inbox/queue-rows.tsx';
import { Icon } from '../mark/icon.tsx';
import { useAsking, useShown } from '../state/approvals.ts';
import { useNotes } from '../state/queue.ts';
import { go } from '../state/route.ts';

/** Number of items of the queue on Home; the inbox shows all. */
const most = 3;

/** The first items of the queue, answered here or by following a link. */
export function NeedsYou({ queue }: { queue: readonly QueueItem[] }) {
  const asking = useAsking();
  const shown = useShown(asking);
  const top = queue.slice(0, most);
  const first = new Set(top.flatMap((item) => (item.kind === 'approval' ? [item.approval.id] : [])));
  const open = new Set(asking.map(({ id }) => id));
  // Answered cards stay as one line each until the view is left.
  const cards = shown.filter(({ id }) => first.has(id) || !open.has(id));
  const rest = queue.length - top.length;
  return (
    <section className="card home-needs" aria-labelledby="home-needs">
      <h2 id="home-needs">{t('home.needsYou')}</h2>
      <AskList shown={cards} compact />
      <QueueRows items={top.filter(isOther)} />
      {queue.length + cards.length === 0 && (
        <p className="card-empty">
          <Icon name="check" size={16} /> {t('home.needsNobody')}
        </p>
      )}
      {rest > 0 && (
        <button type="button" className="link ask-rest" onClick={() => go({ view: 'inbox', id: null })}>
          {t('home.moreInInbox', { count: rest })}
        </button>
      )}
      <Notes />
    </section>
  );
}

function Notes() {
  const { problems, agents } = useNotes();
  if (problems.length + agents.length === 0) return null;
  return (
    <ul className="need-list" aria-label={t('home.notes')}>
      {agents.map((agent) => (
        <NeedRow
          key={agent.id}
          tone="plain"
          agent={agent}
          text={t('states.unregistered')}
          hint={t('states.unregisteredHint')}
          at={agent.since}
        >
          <LeadButton words={t('states.open')} route={{ view: 'agents', agent: agent.id }} />
        </NeedRow>
      ))}
      {problems.map((problem) => (
        <ProblemRow key={problem.id} problem={problem} />
      ))}
    </ul>
  );
}
