/**
 * Decides who may answer a gate. The rule is pure and fails closed: an identity that the host cannot vouch
 * for matches no name.
 */
import { type AppError, appError } from '../../../contract/errors.ts';
import { fail } from '../../../contract/fail.ts';
import type { GateContent, Person } from './events.ts';
import type { GateState } from './fold.ts';

/** Identity of the approver as the host knows it; never taken from a token, a file or a step. */
export interface Actor {
  readonly kind: 'person' | 'agent' | 'clock';
  readonly id: Person;
  /**
   * True for entry points that only the operator can use: the operator counts as one person, whatever name
   * answers.
   */
  readonly owner?: boolean;
}

/** `null` if the actor may decide. `agreed`: earlier votes, so that no person counts twice. */
export function approverRefusal(
  rule: GateContent['approvers'],
  initiatedBy: Person,
  agreed: Pick<GateState, 'votes' | 'ownerAgreed'>,
  actor: Actor,
): AppError | null {
  const refuse = (message: string, hint: string): AppError => appError('forbidden', message, { hint });
  if (actor.kind !== 'person') {
    return refuse(
      'Only a person can decide this; the run still waits.',
      'Decide it in the app or on the command line.',
    );
  }
  const mustBeKnown = rule.named.length > 0 || rule.notInitiator || rule.needed > 1;
  if (mustBeKnown && actor.id === null) {
    const who = rule.named.length > 0 ? ` It waits for ${rule.named.join(', ')}.` : '';
    return refuse(
      `This needs a known identity, and yours is not known.${who}`,
      'Say who you are and try again.',
    );
  }
  if (rule.named.length > 0 && !rule.named.includes(actor.id ?? '')) {
    return refuse(
      `Only ${rule.named.join(', ')} can decide this; you are ${actor.id} here.`,
      'The run still waits for them.',
    );
  }
  if (rule.notInitiator && initiatedBy === null) {
    return refuse(
      'Somebody other than the initiator must decide this, and nobody knows who started the run.',
      'Start it again under a known identity.',
    );
  }
  if (rule.notInitiator && actor.id === initiatedBy) {
    return refuse('You started this run, so somebody else must decide.', 'The run still waits for them.');
  }
  const before = agreed.votes.includes(actor.id) || (actor.owner === true && agreed.ownerAgreed);
  if (rule.needed > 1 && before) {
    return fail('conflict', 'workflows.agreedAlready');
  }
  return null;
}
