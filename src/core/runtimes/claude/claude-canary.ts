/**
 * The canary of Claude Code: one scripted turn in an empty folder that shows whether the installed version asks
 * before it acts, and obeys the answers. None of the scripted actions has an effect outside of the folder.
 */
import type { CanaryCheck } from '../../../contract/harnesses.ts';
import { isRecord } from '../../../contract/is-record.ts';
import { atMost } from '../../lib/at-most.ts';
import type { Clock, Random } from '../../ports.ts';
import type { HarnessProcess } from '../harness-ports.ts';
import { type ClaudeEvent, readClaudeLine } from './claude-events.ts';
import { allowLine, denyLine, initializeLine, refuseLine, userLine } from './claude-requests.ts';

/** ms for the whole turn. */
const turnMs = 60_000;
const subAgentPrompt = 'kennel-canary-sub-agent';
const written = { asked: 'asked', rewritten: 'rewritten' } as const;

export type CanaryBlock =
  | { readonly text: string }
  | { readonly tool: string; readonly id: string; readonly input: Readonly<Record<string, unknown>> };

interface CanaryRequest {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools: readonly string[];
}

const isResult = (block: unknown): boolean => isRecord(block) && block.type === 'tool_result';
const resultsIn = ({ messages }: CanaryRequest): number =>
  messages.reduce(
    (sum, { content }) => sum + (Array.isArray(content) ? content.filter(isResult).length : 0),
    0,
  );

/** The scripted model: one action per request, chosen by the number of results so far. */
export function canaryReply(request: CanaryRequest, folder: string): readonly CanaryBlock[] {
  const results = resultsIn(request);
  const use = (tool: string, input: Record<string, unknown>): readonly CanaryBlock[] => [
    { tool, id: `toolu_canary_${tool}_${results}_${request.messages.length}`, input },
  ];
  const isSubAgent = JSON.stringify(request.messages[0]?.content ?? '').includes(subAgentPrompt);
  const script = isSubAgent
    ? [use('Bash', { command: `touch ${folder}/sub` })]
    : [
        use('Bash', { command: `touch ${folder}/shell` }),
        use('Write', { file_path: `${folder}/edit`, content: written.asked }),
        use('WebFetch', { url: 'https://kennel.invalid/', prompt: 'read it' }),
        use('Task', { description: 'canary', prompt: subAgentPrompt, subagent_type: 'general-purpose' }),
      ];
  // Requests for titles and summaries have no tools.
  const next = request.tools.length === 0 ? undefined : script[results];
  return next ?? [{ text: 'done' }];
}

export interface CanaryParts {
  readonly process: HarnessProcess;
  /** Text of a file below the folder, or `null` if it does not exist. */
  readonly readFile: (name: string) => string | null;
  readonly clock: Clock;
  readonly random: Pick<Random, 'uuid'>;
}

/** The checks that the program passed; none if it did not finish the turn. */
export async function runClaudeCanary(parts: CanaryParts): Promise<readonly CanaryCheck[]> {
  const { process, readFile, clock, random } = parts;
  const asked = new Set<CanaryCheck>();
  const turn = (async (): Promise<void> => {
    for await (const line of process.lines)
      for (const event of readClaudeLine(line)) {
        if (event.type === 'result') return;
        const reply = answer(event, asked);
        if (reply !== null) process.write(reply);
      }
    throw new Error('The program ended before its turn.');
  })();
  process.write(initializeLine(random.uuid(), [], ''));
  process.write(userLine([{ type: 'text', text: 'canary' }]));
  const isDone = await atMost(
    clock,
    turnMs,
    turn.then(() => true),
  ).catch(() => false);
  if (!isDone) return [];
  if (asked.has('shell') && readFile('shell') === null && readFile('sub') === null) asked.add('denial');
  if (asked.has('edit') && readFile('edit') === written.rewritten) asked.add('rewrite');
  return [...asked];
}

/** Denies every action except writing the script's own file, which it allows with other content. */
function answer(event: ClaudeEvent, asked: Set<CanaryCheck>): string | null {
  if (event.type === 'mcp' || event.type === 'other_request')
    return refuseLine(event.requestId, 'The canary offers nothing.');
  if (event.type !== 'permission') return null;
  const { requestId, tool, input } = event;
  switch (tool) {
    case 'Bash':
      asked.add(String(input.command).endsWith('/sub') ? 'subAgent' : 'shell');
      return denyLine(requestId, 'The canary denies it.');
    case 'Write':
      asked.add('edit');
      return allowLine(requestId, { ...input, content: written.rewritten });
    case 'WebFetch':
      asked.add('network');
      return denyLine(requestId, 'The canary denies it.');
    case 'Task':
    case 'Agent':
      return allowLine(requestId, input);
    default:
      return denyLine(requestId, 'The canary denies it.');
  }
}
