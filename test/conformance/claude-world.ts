/** A runtime with the real Claude Code, and the scripted model that it asks. */
import type { RuntimeEvent } from '../../src/core/supervisor/runtime-port.ts';
import { type ClaudeRig, type ClaudeRigOptions, claudeRig } from '../fakes/claude-rig.ts';
import {
  createMessagesServer,
  hasToolResult,
  lastUserText,
  type MessagesServer,
  type ServedReply,
} from '../fakes/messages-server.ts';

/** The script of the model is in the message: `TOOL NAME JSON END`, `LOOP`, `HOLD`, `PAUSE`, or `STATUS n`. */
export function reply(text: string, isResult: boolean, nth: number): ServedReply {
  // Also in the result of the call, so it goes on for ever.
  if (text.includes('LOOP'))
    return { blocks: [{ tool: 'Bash', id: `toolu_${nth}`, input: { command: 'echo LOOP' } }] };
  if (isResult) return { blocks: [{ text: 'after the tool' }] };
  const [, tool, json] = /TOOL (\w+) (\{.*\}) END/s.exec(text) ?? [];
  if (tool !== undefined && json !== undefined)
    return { blocks: [{ text: 'I will.' }, { tool, id: `toolu_${nth}`, input: JSON.parse(json) }] };
  const status = /STATUS (\d+)/.exec(text)?.[1];
  if (status !== undefined) return { status: Number(status) };
  if (text.includes('PAUSE') && nth === 1) return { status: 429, retryAfterS: 61 };
  return { blocks: [{ text: 'hello' }], ...(text.includes('HOLD') ? { holdOpen: true as const } : {}) };
}

export interface ClaudeWorld {
  readonly rig: ClaudeRig;
  readonly server: MessagesServer;
  turn(text: string, watch?: (event: RuntimeEvent) => void): Promise<RuntimeEvent | undefined>;
}

export const isDone = (event: RuntimeEvent | undefined, text: string): boolean =>
  event?.type === 'turn_done' && event.parts.join('') === text;
export const isFailed = (event: RuntimeEvent | undefined, code: string): boolean =>
  event?.type === 'turn_failed' && event.error.code === code;
/** Runs a case in a runtime of its own, against a model server of its own. */
export async function withClaude(
  options: (server: MessagesServer) => ClaudeRigOptions | Promise<ClaudeRigOptions>,
  run: (world: ClaudeWorld) => Promise<boolean>,
): Promise<boolean> {
  let nth = 0;
  const server = await createMessagesServer((asked) => {
    nth += 1;
    return reply(lastUserText(asked), hasToolResult(asked), nth);
  });
  const rig = claudeRig({ trusted: true, ...(await options(server)) });
  let isFirst = true;
  const turn: ClaudeWorld['turn'] = async (text, watch) => {
    if (isFirst) rig.say(text);
    else rig.nextTurn(text);
    isFirst = false;
    return (await rig.run(watch)).at(-1);
  };
  try {
    return await run({ rig, server, turn });
  } finally {
    await rig.end();
    await server.stop();
  }
}
