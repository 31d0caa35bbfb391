import { useEffect, useId, useRef } from 'react';
import type { Approval } from '../../contract/approvals.ts';
import { localize, t } from '../../language/texts.ts';
import { riskWords } from '../format/consent.ts';
import { visibleLine } from '../format/visible-text.ts';
import { StateDot } from '../mark/dot.tsx';
import { LeaveLink } from '../markdown/link-gate.tsx';
import { Name } from '../parts/name.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Ago } from '../parts/time.tsx';
import { type Decide, useDecide } from '../state/approvals.ts';
import { AnswerButtons } from './answer-buttons.tsx';
import { NotAsked } from './approvers-not-asked.tsx';
import { AllArguments, AskFacts } from './facts.tsx';
import { FormAnswer } from './form-answer.tsx';
import { GateAnswerForm } from './gate-answer.tsx';
import { useGuard } from './misclick-guard.ts';
import { Preview, useReading } from './preview.tsx';

interface CardOf {
  readonly approval: Approval;
  /** Lowers the preview, for lists with other content. */
  readonly compact?: boolean;
  /** Focuses the deny button when the card appears. */
  readonly focus?: boolean;
}

/** One approval: the preview is the largest element, and the deny button gets the focus. */
export function ApprovalCard({ approval, compact = false, focus = false }: CardOf) {
  const id = useId();
  const decide = useDecide(approval);
  const reading = useReading();
  const guard = useGuard(`${approval.digest} ${focus}`);
  const deny = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!focus || isBusyElsewhere(deny.current)) return;
    // Focus without scrolling: the head of a high card has to stay visible.
    deny.current?.focus({ preventScroll: true });
    deny.current?.closest('[data-ask]')?.scrollIntoView({ block: 'nearest' });
  }, [focus]);
  return (
    <article
      className={`ask${compact ? ' is-compact' : ''}`}
      aria-labelledby={id}
      aria-busy={decide.busy}
      data-ask={approval.id}
      data-deaf={guard.isDeaf || undefined}
      onKeyDownCapture={guard.hold}
      onClickCapture={guard.hold}
    >
      <AskHead approval={approval} id={id} />
      <Preview approval={approval} reading={reading} />
      <AskFacts approval={approval} />
      {approval.gate === undefined && <AllArguments json={approval.argsJson} />}
      <NotAsked approval={approval} />
      <Answer approval={approval} decide={decide} read={reading.read} deny={deny} />
    </article>
  );
}

/** Does not take the focus from a text field or from another approval. */
function isBusyElsewhere(button: HTMLElement | null): boolean {
  const now = document.activeElement;
  if (now === null || now === document.body) return false;
  return now.matches('input, textarea') || now.closest('[data-ask]') !== null || button === null;
}

function AskHead({ approval, id }: { approval: Approval; id: string }) {
  return (
    <header className="ask-head">
      <StateDot state="needs_you" size={14} label="" />
      <p id={id} className="ask-title">
        <strong>
          <Name>{approval.agentName}</Name>
        </strong>{' '}
        <bdi>{visibleLine(localize(approval.title))}</bdi>
      </p>
      {approval.gate === undefined && (
        <span className={`chip${approval.risk === 'high' ? ' is-red' : ''}`}>{riskWords(approval.risk)}</span>
      )}
      <span className="fine">
        <Ago at={approval.createdAt} />
      </span>
    </header>
  );
}

interface AnswerOf {
  readonly approval: Approval;
  readonly decide: Decide;
  readonly read: boolean;
  readonly deny: React.RefObject<HTMLButtonElement | null>;
}

function Answer({ approval, decide, read, deny }: AnswerOf) {
  const isCut = approval.preview.cut === true;
  return (
    <>
      <ErrorNote error={decide.error}>
        {decide.error?.hint === undefined && <p className="note-hint">{t('consent.stillWaits')}</p>}
      </ErrorNote>
      {approval.link !== undefined && <LeaveLink href={approval.link}>{t('consent.openPage')}</LeaveLink>}
      {approval.form !== undefined ? (
        <FormAnswer form={approval.form} decide={decide} read={read && !isCut} isCut={isCut} deny={deny} />
      ) : approval.gate === undefined ? (
        <AnswerButtons approval={approval} decide={decide} read={read} deny={deny} />
      ) : (
        <GateAnswerForm
          gate={approval.gate}
          decide={decide}
          read={read && !isCut}
          isCut={isCut}
          safe={deny}
        />
      )}
    </>
  );
}
