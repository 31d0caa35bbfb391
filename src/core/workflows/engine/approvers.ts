/**
 * Decides who may answer a gate. The rule is pure and fails closed: an identity that the host cannot vouch
 * for matches no name.
 */
import { type AppError, appError } from '../../../contract/errors.ts';
import { fail } from '../../../contract/fail.ts';
import type { HostMessage } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';
import type { GateContent, Person } from './events.ts';
import type { GateState } from './run-state.ts';

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
  const refuse = (message: HostMessage, hint: HostMessage): AppError =>
    appError('forbidden', message, { hint });
  if (actor.kind !== 'person') {
    return refuse(say('workflows.personMustDecide'), say('workflows.decideInApp'));
  }
  const mustBeKnown = rule.named.length > 0 || rule.notInitiator || rule.needed > 1;
  if (mustBeKnown && actor.id === null) {
    const who =
      rule.named.length > 0 ? say('workflows.waitsForApprovers', { names: rule.named.join(', ') }) : '';
    return refuse(say('workflows.identityRequired', { who }), say('workflows.sayWhoYouAre'));
  }
  if (rule.named.length > 0 && !rule.named.includes(actor.id ?? '')) {
    return refuse(
      say('workflows.namedApproversOnly', { names: rule.named.join(', '), who: String(actor.id) }),
      say('workflows.runStillWaits'),
    );
  }
  if (rule.notInitiator && initiatedBy === null) {
    return refuse(say('workflows.initiatorUnknown'), say('workflows.startAgainIdentified'));
  }
  if (rule.notInitiator && actor.id === initiatedBy) {
    return refuse(say('workflows.initiatorCannotDecide'), say('workflows.runStillWaits'));
  }
  const before = agreed.votes.includes(actor.id) || (actor.owner === true && agreed.ownerAgreed);
  if (rule.needed > 1 && before) {
    return fail('conflict', 'workflows.agreedAlready');
  }
  return null;
}
