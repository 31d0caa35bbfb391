import { type FormEvent, type ReactNode, type RefObject, useMemo, useState } from 'react';
import type { Approval, ApprovalAnswer } from '../../contract/approvals.ts';
import { t } from '../../language/texts.ts';
import { type FieldProblem, readForm, type Typed } from '../forms/read-form.ts';
import { fieldsOf } from '../forms/schema-fields.ts';
import { SchemaForm } from '../forms/schema-form.tsx';
import type { Decide } from '../state/approvals.ts';
import { go, useRoute } from '../state/route.ts';
import { useHost } from '../state/subscriptions.ts';
import { isLone } from './approval-address.ts';
import { ReasonForm } from './reason-form.tsx';

export type GateForm = NonNullable<Approval['gate']>;

interface AnswerOf {
  readonly gate: GateForm;
  readonly decide: Decide;
  /** True once the content was scrolled to its end; required before agreeing. */
  readonly read: boolean;
  /** The content is too long to be shown whole, so agreeing is disabled. */
  readonly isCut: boolean;
  /** The button with no irreversible effect. */
  readonly safe: RefObject<HTMLButtonElement | null>;
}

/** Answer of a workflow gate: yes or no, a form, or the outcome of an interrupted step. */
export function GateAnswerForm({ gate, decide, read, isCut, safe }: AnswerOf) {
  const own = useHost((host) => host?.operator?.slug ?? null);
  const agreed = gate.votes.some((who) => who === 'operator' || who === own);
  const forOthers = isForOthers(gate.named, own);
  const asks = !agreed && !forOthers;
  const asksYesOrNo = gate.kind === 'approval' && asks;
  const later = <Later gate={gate} decide={decide} safe={asksYesOrNo ? null : safe} />;
  return (
    // A form is too high for a sticky footer.
    <footer className={asksYesOrNo ? 'ask-foot' : 'gate-foot'}>
      {asks && !read && <p className="fine">{t(isCut ? 'consent.cut' : 'gates.scrollFirst')}</p>}
      {agreed && (
        <p role="status">{t('gates.youAgreed', { n: Math.max(1, gate.needed - gate.votes.length) })}</p>
      )}
      {!agreed && forOthers && <p role="status">{t('gates.forOthers')}</p>}
      {asks && gate.kind === 'input' && <Respond form={gate} decide={decide} read={read} />}
      {asks && gate.kind === 'uncertain' && <Settle decide={decide} read={read} />}
      {asksYesOrNo ? (
        <YesOrNo decide={decide} read={read} safe={safe}>
          {later}
        </YesOrNo>
      ) : (
        <div className="ask-buttons">{later}</div>
      )}
    </footer>
  );
}

/**
 * The operator may be named `operator` or by slug, because a workflow may name them before they have an
 * identity.
 */
const isForOthers = (named: GateForm['named'], own: string | null): boolean =>
  own !== null && named.length > 0 && !named.includes('operator') && !named.includes(own);

interface LaterOf {
  readonly gate: GateForm;
  readonly decide: Decide;
  readonly safe: RefObject<HTMLButtonElement | null> | null;
}

function Later({ gate, decide, safe }: LaterOf) {
  const place = `run:${gate.runId}`;
  const isHere = useRoute(({ route }) => route.view === 'work' && route.place === place);
  return (
    <>
      <button
        type="button"
        ref={safe}
        className="button is-plain"
        disabled={decide.busy}
        onClick={() => void decide.run({ type: 'not_now' })}
      >
        {t('consent.notNow')}
      </button>
      <span className="spacer" />
      {!isLone() && !isHere && (
        <button type="button" className="link" onClick={() => go({ view: 'work', place })}>
          {t('gates.openRun')}
        </button>
      )}
    </>
  );
}

function YesOrNo({
  decide,
  read,
  safe,
  children,
}: Omit<AnswerOf, 'gate' | 'isCut'> & { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const reject = (): void => void decide.run({ type: 'deny', reason: open ? reason.trim() : '' });
  return (
    <>
      <div className="ask-buttons">
        <button type="button" ref={safe} className="button" disabled={decide.busy} onClick={reject}>
          {t('gates.reject')}
        </button>
        <Agree decide={decide} read={read} answer={{ type: 'allow', scope: 'once' }}>
          {t('gates.approve')}
        </Agree>
        {children}
        <button type="button" className="link" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t('gates.rejectWithReason')}
        </button>
      </div>
      {open && (
        <ReasonForm
          reason={reason}
          decide={decide}
          hint={t('gates.rejectReasonHint')}
          send={t('gates.rejectWithThis')}
          onChange={setReason}
        />
      )}
    </>
  );
}

interface AgreeOf {
  readonly decide: Decide;
  readonly read: boolean;
  readonly answer: ApprovalAnswer;
  readonly children: string;
}

/** Uses `aria-disabled` instead of `disabled`, so that the focus can reach the button. */
const Agree = ({ decide, read, answer, children }: AgreeOf) => (
  <button
    type="button"
    className="button"
    aria-disabled={!read || decide.busy}
    onClick={() => {
      if (read && !decide.busy) void decide.run(answer);
    }}
  >
    {children}
  </button>
);

const parsed = (json: string): unknown => (json === '' ? undefined : JSON.parse(json));

interface RespondOf extends Pick<AnswerOf, 'decide' | 'read'> {
  readonly form: NonNullable<Approval['form']>;
}

export function Respond({ form: { schemaJson, defaultsJson }, decide, read }: RespondOf) {
  const fields = useMemo(
    () => fieldsOf(parsed(schemaJson), parsed(defaultsJson) ?? undefined),
    [schemaJson, defaultsJson],
  );
  const [typed, setTyped] = useState<Typed>({});
  const [problems, setProblems] = useState<Readonly<Record<string, FieldProblem>>>({});
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const form = readForm(fields, typed);
    setProblems(form.problems);
    if (Object.keys(form.problems).length > 0 || !read || decide.busy) return;
    void decide.run({ type: 'respond', response: form.value });
  };
  return (
    <form className="stack gate-form" noValidate onSubmit={submit}>
      <SchemaForm fields={fields} typed={typed} problems={problems} onChange={setTyped} />
      <div>
        <button type="submit" className="button" aria-disabled={!read || decide.busy}>
          {t('gates.respond')}
        </button>
      </div>
    </form>
  );
}

const ways = ['done', 'repeat', 'cancel'] as const;

/** Only the operator can know whether an interrupted step took effect. */
const Settle = ({ decide, read }: Omit<AnswerOf, 'gate' | 'safe' | 'isCut'>) => (
  <ul className="gate-ways">
    {ways.map((how) => (
      <li key={how}>
        <Agree decide={decide} read={read} answer={{ type: 'settle', how }}>
          {t(`gates.settle_${how}`)}
        </Agree>
        <span className="fine">{t(`gates.settleMeans_${how}`)}</span>
      </li>
    ))}
  </ul>
);
