import { useState } from 'react';
import type { AgentSummary } from '../../../contract/model.ts';
import { localize, t } from '../../../language/texts.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import { DiffReview } from '../../parts/diff-review.tsx';
import { Field } from '../../parts/field.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { useAction } from '../../state/action.ts';
import { showNotice } from '../../state/screen.ts';
import { AgentAvatar } from '../agent-avatar.tsx';
import { PictureField } from '../picture-field.tsx';
import { asText, changeDraft, dropDraft, type IdentityDraft, profileChange } from './identity-draft.ts';
import { LengthMeter } from './length-meter.tsx';

interface EditorOf {
  readonly agent: AgentSummary;
  readonly soul: string;
  readonly draft: IdentityDraft;
  onSaved(): void;
}

/** Edits picture, names, role and soul; the operator reviews a diff before saving. */
export function IdentityEditor({ agent, soul, draft, onSaved }: EditorOf) {
  const [review, setReview] = useState(false);
  const { agent: _, version: __, ...changes } = profileChange(agent, soul, draft);
  const changed = Object.keys(changes).length > 0;
  return (
    <section className="soul-editor" aria-label={t('identity.editor')}>
      <NamesCard agent={agent} draft={draft} />
      <div className="soul-panes">
        <textarea
          className="soul-text"
          aria-label={t('identity.soulLabel')}
          spellCheck
          // Opened to be written in.
          // biome-ignore lint/a11y/noAutofocus: see above
          autoFocus
          value={draft.soul}
          onChange={(event) => changeDraft(agent, { soul: event.target.value })}
        />
        <ScrollRegion className="soul-preview prose" label={t('identity.preview')}>
          <Markdown text={draft.soul} />
        </ScrollRegion>
      </div>
      <footer className="soul-foot">
        <LengthMeter text={draft.soul} />
        <span className="form-foot">
          {changed && <span className="soft">{t('identity.notSaved')}</span>}
          <button type="button" className="button" onClick={() => dropDraft(agent.id)}>
            {changed ? t('identity.discard') : t('identity.close')}
          </button>
          <button
            type="button"
            className="button is-primary"
            disabled={!changed || draft.displayName.trim() === ''}
            onClick={() => setReview(true)}
          >
            {t('identity.review')}
          </button>
        </span>
      </footer>
      {review && (
        <Review agent={agent} soul={soul} draft={draft} onSaved={onSaved} onClose={() => setReview(false)} />
      )}
    </section>
  );
}

function NamesCard({ agent, draft }: { agent: AgentSummary; draft: IdentityDraft }) {
  return (
    <div className="card names-card">
      <PictureField
        agent
        now={<AgentAvatar agent={agent} />}
        chosen={draft.picture}
        onChoose={(picture) => changeDraft(agent, { picture })}
      />
      <Field
        label={t('agents.name')}
        maxLength={60}
        value={draft.displayName}
        onChange={(event) => changeDraft(agent, { displayName: event.target.value })}
      />
      <Field
        label={t('agents.role')}
        maxLength={140}
        value={draft.role}
        onChange={(event) => changeDraft(agent, { role: event.target.value })}
        hint={t('agents.roleHint')}
      />
      <Field
        label={t('identity.shortRole')}
        maxLength={32}
        value={draft.roleShort}
        onChange={(event) => changeDraft(agent, { roleShort: event.target.value })}
        hint={t('identity.shortRoleHint')}
      />
    </div>
  );
}

function Review({ agent, soul, draft, onSaved, onClose }: EditorOf & { onClose(): void }) {
  const edit = useAction('agents.edit');
  const save = async (): Promise<void> => {
    const change = profileChange(agent, soul, draft);
    const result = await edit.run(change);
    if (!result.ok) {
      onSaved();
      return;
    }
    const done = change.soul === undefined ? t('identity.saved') : t('identity.savedSoul');
    showNotice(result.value.warning === '' ? done : localize(result.value.warning));
    onSaved();
    onClose();
    dropDraft(agent.id);
  };
  return (
    <DiffReview
      title={t('identity.reviewTitle', { name: agent.displayName })}
      verb={t('identity.save')}
      before={asText(agent, false, soul)}
      after={asText(draft, draft.picture !== null, draft.soul)}
      busy={edit.busy}
      error={edit.error}
      onSave={() => void save()}
      onClose={onClose}
    />
  );
}
