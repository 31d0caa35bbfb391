/**
 * The end of a turn whose answer may tell what not everybody who reads it may know (T9): the operator sees the whole answer
 * and agrees or not. It is put to the gate like a call of a tool, so that the question survives a restart.
 */
import { systemMessageToken } from '../../core/agents/redaction.ts';
import { routeReply } from '../../core/agents/reply-routing.ts';
import { callsInText } from '../../core/loop/text-mode.ts';
import {
  type AssistantMessage,
  messageText,
  type UserMessage,
  userMessage,
} from '../../core/models/messages.ts';
import type { GateCall, HeldBack } from '../../core/tool-ports.ts';
import type { GatedTools } from './gated-tools.ts';
import type { TurnSteps } from './turn-steps.ts';

/** The last words count; where they are blank, the last that are not. */
export function partsOf(said: readonly AssistantMessage[]): readonly string[] {
  const text = said
    .filter((message) => !callsInText(message))
    .map(messageText)
    .findLast((one) => one.trim() !== '');
  return text === undefined ? [] : [text];
}

/** What would be sent; `null`: nothing. */
export function spokenText(said: readonly AssistantMessage[]): string | null {
  const route = routeReply({ parts: partsOf(said), messageSent: false, plainModel: true });
  return route.type === 'reply' ? route.text : null;
}

/** In the place of a tool's name; no tool is called so. */
const replyCall = 'reply';

interface DraftedAnswer {
  readonly text: string;
  readonly heldBack: HeldBack;
}

/** The answer as the gate is asked about it. */
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
      preview: { kind: 'text', title: 'send its answer', body: text, where: who },
    },
    justification: '',
    tainted: true,
    // The same answer in the same turn is asked about once, whatever became of the host meanwhile.
    resumed: true,
  };
}

/** `null`: it may be sent, or the turn is over; else why not. */
export async function askToSend(
  tools: Pick<GatedTools, 'ask'>,
  steps: TurnSteps,
  turnId: string,
  draft: DraftedAnswer,
  signal: AbortSignal,
): Promise<string | null> {
  const call = callOfAnswer(`${replyCall}_${turnId}`, draft);
  steps.begin(call.callId, replyCall, {});
  const aborted = new Promise<null>((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  const decision = await Promise.race([tools.ask(call, signal), aborted]);
  if (decision === null || signal.aborted) return null;
  steps.end(call.callId, decision.type === 'allow' ? 'done' : 'denied', []);
  return decision.type === 'allow' ? null : `The answer was not sent. ${decision.reason}`;
}

/** So that the next turn knows that nobody has read the words above it. */
export const withheldNote = (why: string, at: number): UserMessage =>
  userMessage(
    `${systemMessageToken} Your last answer was not sent, so nobody in this conversation has read it. ${why}`,
    at,
  );
