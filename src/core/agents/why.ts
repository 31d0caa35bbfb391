/** Explains why an agent did or did not answer one message: a state and a sentence, for every case. */
import type { AgentLife, Connection } from '../../contract/model.ts';
import { reasonWords } from '../../contract/reasons.ts';
import type { TriggerDecision, WorkStatus } from '../puffo/account-store.ts';

export interface WhyFacts {
  readonly isSender: boolean;
  /** Decision at arrival; `null` if the agent has not received the message, or its store is closed. */
  readonly decision:
    | (TriggerDecision & { readonly status: WorkStatus | null; readonly detail: string })
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
  readonly text: string;
}

/** Messages that the operator addressed to Kennel and not to the agent. */
const taken: Readonly<Record<string, string>> = {
  consent: 'took it as your answer to its question.',
  stop: 'took it as your order to stop.',
  continue: 'took it as your leave to go on.',
  task: 'took it as your word about its tasks.',
};

const asked: Readonly<Record<string, string>> = {
  mention: 'it was mentioned',
  dm: 'it was written to directly',
  introduction: 'it has just joined',
  run_ended: 'a run that it started has ended',
  unaddressed: 'nobody else was mentioned',
  channel_all: 'it answers everything in this room',
};
const because = (reason: string): string => (Object.hasOwn(asked, reason) ? `: ${asked[reason]}` : '');

const ended = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

export function whyOf(facts: WhyFacts): Why {
  const { decision } = facts;
  if (facts.isSender || decision?.reason === 'own') return { state: 'own', text: 'wrote it.' };
  if (facts.working) {
    const text = facts.asks ? 'is working on it, and waits for your answer.' : 'is working on it.';
    return { state: 'working', text };
  }
  return decision ? ofDecision(decision) : { state: 'unseen', text: unseen(facts) };
}

function ofDecision(decision: NonNullable<WhyFacts['decision']>): Why {
  const { reason, detail, status } = decision;
  switch (status) {
    case null: {
      const text = Object.hasOwn(taken, reason) ? taken[reason] : undefined;
      return { state: 'silent', text: text ?? ended(`did not answer: ${reasonWords(reason)}`) };
    }
    case 'open':
      return { state: 'queued', text: `will look at it next${because(reason)}.` };
    case 'done':
      return { state: 'done', text: `answered${because(reason)}.` };
    case 'silent':
      return { state: 'silent', text: `did not answer: ${ended(detail || reasonWords(reason))}` };
    case 'failed':
      return { state: 'failed', text: `could not answer: ${ended(detail || 'no reason was kept')}` };
  }
}

const atRest: Partial<Record<AgentLife, string>> = {
  paused: 'is paused: what it made of messages shows once it runs, and it looks at new ones then.',
  not_connected: 'has no identity at a server, so no messages reach it.',
  broken: 'has settings that cannot be read, so it does not run.',
};

function unseen({ life, connection, held }: WhyFacts): string {
  if (held) return 'holds it back: the identity key of its sender has changed.';
  const rest = atRest[life];
  if (rest !== undefined) return rest;
  if (life !== 'running') return 'does not run now, so its messages are closed.';
  if (connection !== 'online') return 'is not connected to its server; it will look at it once it is.';
  return 'has not got it: it was sent before the agent was there, or it is still on its way.';
}
