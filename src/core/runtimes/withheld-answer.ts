/**
 * The end of a turn whose answer may reveal something that not all its readers may know (T9): the operator
 * sees the whole answer and approves it or not. It passes the gate like a tool call, so that the approval
 * survives a restart.
 */

import { englishText, type HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { systemMessageToken } from '../agents/redaction.ts';
import { routeReply } from '../agents/reply-routing.ts';
import type { GateCall } from '../approvals/approval-gate.ts';
import { callsInText } from '../loop/text-mode.ts';
import { type AssistantMessage, transcriptText, type UserMessage, userMessage } from '../models/messages.ts';
import type { HeldBack } from '../policy/assessment.ts';
import type { GatedTools } from './gated-tools.ts';
import type { TurnSteps } from './turn-steps.ts';

/** The last text that is not blank counts. */
export function partsOf(said: readonly AssistantMessage[]): readonly string[] {
  const text = said
    .filter((message) => !callsInText(message))
    .map(transcriptText)
    .findLast((one) => one.trim() !== '');
  return text === undefined ? [] : [text];
}

/** The text that would be sent, or `null` if none. */
export function spokenText(said: readonly AssistantMessage[]): string | null {
  const route = routeReply({ parts: partsOf(said), messageSent: false, plainModel: true });
  return route.type === 'reply' ? route.text : null;
}

/** Used as tool name; no tool has it. */
const replyCall = 'reply';

interface DraftedAnswer {
  readonly text: string;
  readonly heldBack: HeldBack;
}

/** The answer as a call for the gate. */
export function callOfAnswer(
  callId: string,
  { text, heldBack }: DraftedAnswer,
): Omit<GateCall, 'agentId' | 'turnId' | 'threadKey'> {
  const { roomId, outsiders, sources, who } = heldBack;
  return {
    callId,
    tool: replyCall,
    group: 'puffo',
    args: { text, room: roomId, readers: outsiders === null ? null : [...outsiders], from: [...sources] },
    assessment: {
      risk: 'medium',
      effects: [{ kind: 'send', to: roomId, sameThread: true }],
      preview: { kind: 'text', title: say('actions.sendAnswer'), body: text, where: who },
    },
    justification: '',
    tainted: true,
    // The same answer in the same turn is asked about once, even over a restart of the host.
    resumed: true,
  };
}

/** Resolves with `null` if the answer may be sent or the turn is over, else with the reason against it. */
export async function askToSend(
  tools: Pick<GatedTools, 'ask'>,
  steps: TurnSteps,
  turnId: string,
  draft: DraftedAnswer,
  signal: AbortSignal,
): Promise<HostText | null> {
  const call = callOfAnswer(`${replyCall}_${turnId}`, draft);
  steps.begin(call.callId, replyCall, {});
  const aborted = new Promise<null>((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  const decision = await Promise.race([tools.ask(call, signal), aborted]);
  if (decision === null || signal.aborted) return null;
  steps.end(call.callId, decision.type === 'allow' ? 'done' : 'denied', []);
  return decision.type === 'allow' ? null : say('turns.answerWithheld', { why: decision.reason });
}

/** Tells the next turn that no one has read the answer above. */
export const withheldNote = (why: HostText, at: number): UserMessage =>
  userMessage(
    `${systemMessageToken} Your last answer was not sent, so nobody in this conversation has read it. ${englishText(why)}`,
    at,
  );
