/** Explains why an agent did or did not answer one message: a state and a sentence, for every case. */
import type { AgentLife, Connection } from '../../contract/model.ts';
import { isReason, silenceTexts } from '../../contract/reasons.ts';
import { englishText, type HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import type { TriggerDecision, WorkStatus } from '../puffo/account-store.ts';

/** Why an agent did not answer; an unknown reason stays as it is. */
export const reasonText = (reason: string): HostText =>
  isReason(reason) ? say(silenceTexts[reason]) : reason;

export interface WhyFacts {
  readonly isSender: boolean;
  /** Decision at arrival; `null` if the agent has not received the message, or its store is closed. */
  readonly decision:
    | (TriggerDecision & { readonly status: WorkStatus | null; readonly detail: HostText })
    | null;
  readonly working: boolean;
  /** The agent waits for the operator's answer. */
  readonly asks: boolean;
  readonly life: AgentLife;
  readonly connection: Connection;
  /** Messages of the sender are held back because the sender's identity key changed. */
  readonly held: boolean;
}

export interface Why {
  readonly state: 'own' | 'queued' | 'working' | 'done' | 'failed' | 'silent' | 'unseen';
  /** Continues the sentence after the agent's name. */
  readonly text: HostText;
}

/** Messages that the operator addressed to Kennel and not to the agent. */
const taken: Readonly<Record<string, HostText>> = {
  consent: say('why.tookAnswer'),
  stop: say('why.tookStop'),
  continue: say('why.tookContinue'),
  task: say('why.tookTask'),
};

const asked: Readonly<Record<string, HostText>> = {
  mention: say('why.mentioned'),
  dm: say('why.direct'),
  introduction: say('why.justJoined'),
  run_ended: say('why.runEnded'),
  unaddressed: say('why.nobodyElse'),
  channel_all: say('why.answersAll'),
};
const cause = (reason: string): HostText | undefined =>
  Object.hasOwn(asked, reason) ? asked[reason] : undefined;

const isSentence = (text: HostText): boolean => /[.!?…]$/.test(englishText(text));

export function whyOf(facts: WhyFacts): Why {
  const { decision } = facts;
  if (facts.isSender || decision?.reason === 'own') return { state: 'own', text: say('why.wroteIt') };
  if (facts.working)
    return { state: 'working', text: facts.asks ? say('why.worksAndWaits') : say('why.works') };
  return decision ? ofDecision(decision) : { state: 'unseen', text: unseen(facts) };
}

const notAnswered = (why: HostText): HostText =>
  isSentence(why) ? say('why.silentSentence', { why }) : say('why.silent', { why });

function ofDecision(decision: NonNullable<WhyFacts['decision']>): Why {
  const { reason, detail, status } = decision;
  const why = cause(reason);
  switch (status) {
    case null: {
      const text = Object.hasOwn(taken, reason) ? taken[reason] : undefined;
      return { state: 'silent', text: text ?? notAnswered(reasonText(reason)) };
    }
    case 'open':
      return { state: 'queued', text: why ? say('why.looksNextBecause', { why }) : say('why.looksNext') };
    case 'done':
      return { state: 'done', text: why ? say('why.answeredBecause', { why }) : say('why.answered') };
    case 'silent':
      return { state: 'silent', text: notAnswered(detail || reasonText(reason)) };
    case 'failed': {
      const failure = detail || say('why.noReason');
      const text = isSentence(failure)
        ? say('why.failedSentence', { why: failure })
        : say('why.failed', { why: failure });
      return { state: 'failed', text };
    }
  }
}

const atRest: Partial<Record<AgentLife, HostText>> = {
  paused: say('why.isPaused'),
  not_connected: say('why.noIdentity'),
  broken: say('why.settingsUnreadable'),
};

function unseen({ life, connection, held }: WhyFacts): HostText {
  if (held) return say('why.keyChanged');
  const rest = atRest[life];
  if (rest !== undefined) return rest;
  if (life !== 'running') return say('why.doesNotRun');
  if (connection !== 'online') return say('why.notConnected');
  return say('why.notReceived');
}
