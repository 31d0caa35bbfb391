import { useState } from 'react';
import type { AgentSummary } from '../../contract/model.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { keepSoul, useScreen } from '../state/screen.ts';
import { aboutTokens, plural } from '../words/amounts.ts';
import type { Detail } from './agent-page.tsx';
import { SoulReview } from './soul-review.tsx';

/** Who the agent is, in its own words. Reading first; writing is a wide quiet page with the result beside it. */
export function SoulTab({ agent, detail: { detail, reload } }: { agent: AgentSummary; detail: Detail }) {
  const unsaved = useScreen((screen) => screen.unsavedSouls[agent.id]);
  if (detail === null) return <p className="soft">Reading the soul…</p>;
  if (unsaved !== undefined)
    return <SoulEditor agent={agent} soul={detail.soul} text={unsaved} onSaved={reload} />;
  return (
    <section className="card soul" aria-labelledby="soul-title">
      <header className="card-head">
        <h2 id="soul-title">Soul</h2>
        <button type="button" className="button is-small" onClick={() => keepSoul(agent.id, detail.soul)}>
          Edit soul
        </button>
      </header>
      {detail.soul.trim() === '' ? (
        <p className="soft">
          Nothing here yet. A soul says how it speaks, what it cares about and what it leaves alone.
        </p>
      ) : (
        <div className="prose">
          <Markdown text={detail.soul} />
        </div>
      )}
    </section>
  );
}

interface EditorOf {
  readonly agent: AgentSummary;
  readonly soul: string;
  readonly text: string;
  onSaved(): void;
}

function SoulEditor({ agent, soul, text, onSaved }: EditorOf) {
  const [review, setReview] = useState(false);
  const changed = text !== soul;
  return (
    <section className="soul-editor" aria-label="Soul editor">
      <div className="soul-panes">
        <textarea
          className="soul-text"
          aria-label="Soul, in Markdown"
          spellCheck
          // Opened to be written in.
          // biome-ignore lint/a11y/noAutofocus: see above
          autoFocus
          value={text}
          onChange={(event) => keepSoul(agent.id, event.target.value)}
        />
        <ScrollRegion className="soul-preview prose" label="Preview">
          <Markdown text={text} />
        </ScrollRegion>
      </div>
      <footer className="soul-foot">
        <span className="soft">
          {plural([...text].length, 'character')}, {aboutTokens(text)} in every turn
          {changed ? '. Not saved yet.' : '.'}
        </span>
        <span className="form-foot">
          <button type="button" className="button" onClick={() => keepSoul(agent.id, null)}>
            {changed ? 'Discard changes' : 'Close'}
          </button>
          <button
            type="button"
            className="button is-primary"
            disabled={!changed}
            onClick={() => setReview(true)}
          >
            Review and save
          </button>
        </span>
      </footer>
      {review && (
        <SoulReview
          agent={agent}
          before={soul}
          after={text}
          onSaved={onSaved}
          onClose={() => setReview(false)}
        />
      )}
    </section>
  );
}
