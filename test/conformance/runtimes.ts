/**
 * `npm run -s conformance -- runtimes claude-code`: the cli-local runtime with the real program, fetched from npm
 * into a cache, against a scripted model on loopback. The package is too large for the lock file.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { GateDecision } from '../../src/core/approvals/approval-gate.ts';
import type { RuntimeEvent } from '../../src/core/supervisor/runtime-port.ts';
import { claudeArguments } from '../../src/host/harnesses/claude-agent.ts';
import { type ClaudeRig, type ClaudeRigOptions, claudeRig } from '../fakes/claude-rig.ts';
import {
  createMessagesServer,
  hasToolResult,
  lastUserText,
  type ServedReply,
} from '../fakes/messages-server.ts';
import { countingTool } from '../fakes/runtime-rig.ts';
import type { CaseResult } from './case.ts';

const version = '2.1.330';
const cache = path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'kennel-harnesses');

/** Path of the program, or the reason why there is none. */
function fetchClaude(): { readonly program: string } | { readonly skipped: string } {
  const { platform, arch } = process;
  const folder = path.join(cache, `claude-code-${version}`);
  const program = path.join(folder, `node_modules/@anthropic-ai/claude-code-${platform}-${arch}/claude`);
  try {
    if (!existsSync(program)) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
      const wanted = `@anthropic-ai/claude-code@${version}`;
      const args = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', wanted];
      execFileSync('npm', args, { cwd: folder, stdio: 'ignore', timeout: 300_000 });
    }
    return existsSync(program) ? { program } : { skipped: `${wantedName()} has no program for this system` };
  } catch (error) {
    return { skipped: `${wantedName()} could not be installed: ${String(error).slice(0, 200)}` };
  }
}

const wantedName = (): string => `Claude Code ${version}`;

/** The script of the model is in the message: `TOOL NAME JSON END`, `HOLD`, or `STATUS n`. */
function reply(text: string, isResult: boolean, nth: number): ServedReply {
  if (isResult) return { blocks: [{ text: 'after the tool' }] };
  const [, tool, json] = /TOOL (\w+) (\{.*\}) END/s.exec(text) ?? [];
  if (tool !== undefined && json !== undefined)
    return { blocks: [{ text: 'I will.' }, { tool, id: `toolu_${nth}`, input: JSON.parse(json) }] };
  const status = /STATUS (\d+)/.exec(text)?.[1];
  if (status !== undefined) return { status: Number(status) };
  return { blocks: [{ text: 'hello' }], ...(text.includes('HOLD') ? { holdOpen: true as const } : {}) };
}

const deny: GateDecision = { type: 'deny', by: 'operator', reason: 'The operator denied it.' };

interface World {
  readonly rig: ClaudeRig;
  turn(text: string, watch?: (event: RuntimeEvent) => void): Promise<RuntimeEvent | undefined>;
}

type Case = readonly [
  name: string,
  run: (world: World) => Promise<boolean>,
  options?: Omit<ClaudeRigOptions, 'command'>,
];

const isDone = (event: RuntimeEvent | undefined, text: string): boolean =>
  event?.type === 'turn_done' && event.parts.join('') === text;
const isFailed = (event: RuntimeEvent | undefined, code: string): boolean =>
  event?.type === 'turn_failed' && event.error.code === code;
const write = ({ workspace }: ClaudeRig): string =>
  `TOOL Write {"file_path":"${workspace}/a.txt","content":"x"} END`;
const sent = countingTool('send_message', { group: 'puffo' });

const cases: readonly Case[] = [
  ['starts, streams and answers', async ({ turn }) => isDone(await turn('hi'), 'hello')],
  [
    'asks before a command, even a harmless one',
    async ({ turn, rig }) => {
      const end = await turn('TOOL Bash {"command":"echo hi > f.txt"} END');
      const [asked] = rig.checked;
      return isDone(end, 'after the tool') && asked?.tool === 'shell' && asked.args.cmd === 'echo hi > f.txt';
    },
  ],
  [
    'asks before it reads',
    async ({ turn, rig }) => {
      await turn(`TOOL Read {"file_path":"${rig.workspace}/none.txt"} END`);
      return rig.checked.some(({ tool }) => tool === 'read_file');
    },
  ],
  [
    'asks before a write, and shows it as a difference',
    async ({ turn, rig }) => {
      await turn(write(rig));
      const [asked] = rig.checked;
      return asked?.assessment.preview.body.includes('+x') === true && rig.files().includes('a.txt');
    },
  ],
  [
    'does not do what was denied',
    async ({ turn, rig }) => {
      await turn(write(rig));
      return rig.checked.length === 1 && rig.files().length === 0;
    },
    { decide: async () => deny },
  ],
  [
    'asks for the actions of a sub-agent',
    async ({ turn, rig }) => {
      const inner = 'TOOL Bash {\\"command\\":\\"touch inner\\"} END';
      await turn(`TOOL Task {"description":"d","prompt":"${inner}","subagent_type":"general-purpose"} END`);
      return rig.checked.some(({ args }) => args.cmd === 'touch inner');
    },
  ],
  [
    'calls the tools of the host',
    async ({ turn }) => {
      await turn('TOOL mcp__puffo__send_message {"path":"x"} END');
      return sent.done.length === 1;
    },
    { tools: [sent] },
  ],
  [
    'is interrupted, and goes on',
    async ({ turn, rig }) => {
      const end = await turn('HOLD', ({ type }) => {
        if (type === 'text_delta') rig.abort('stopped');
      });
      return isFailed(end, 'cancelled') && isDone(await turn('hi'), 'hello') && rig.started() === 1;
    },
  ],
  [
    'resumes its session in a new process',
    async ({ turn, rig }) => {
      await turn('hi');
      rig.restart();
      return isDone(await turn('again'), 'hello') && rig.started() === 2;
    },
  ],
  [
    'survives the loss of its session',
    async ({ turn, rig }) => {
      await turn('hi');
      rig.restart();
      rig.loseSessions();
      return isDone(await turn('again'), 'hello');
    },
  ],
  ['reports a refused key', async ({ turn }) => isFailed(await turn('STATUS 401'), 'unauthenticated')],
  ['reports a refused request', async ({ turn }) => isFailed(await turn('STATUS 400'), 'model_error')],
  ['reports a full server', async ({ turn }) => isFailed(await turn('STATUS 529'), 'unavailable')],
];

async function runCase([name, run, options]: Case, program: string): Promise<CaseResult> {
  let nth = 0;
  const server = await createMessagesServer((asked) => {
    nth += 1;
    return reply(lastUserText(asked), hasToolResult(asked), nth);
  });
  const env = {
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '2',
    DISABLE_AUTOUPDATER: '1',
  };
  const command = { argv: [program, ...claudeArguments] as [string, ...string[]], env };
  const rig = claudeRig({ trusted: true, ...options, command });
  let isFirst = true;
  const turn: World['turn'] = async (text, watch) => {
    if (isFirst) rig.say(text);
    else rig.nextTurn(text);
    isFirst = false;
    return (await rig.run(watch)).at(-1);
  };
  try {
    const passed = await run({ rig, turn });
    return { name, why: passed ? null : 'it did not' };
  } catch (error) {
    return { name, why: String(error) };
  } finally {
    await rig.end();
    await server.stop();
  }
}

/** Exit code 1 if a case failed; a program that cannot be fetched is reported and skipped. */
export async function runRuntimes(harness: string, print: (line: string) => void): Promise<number> {
  if (harness !== 'claude-code') throw new Error(`Usage: runtimes claude-code; there is no ${harness}`);
  const fetched = fetchClaude();
  if ('skipped' in fetched) {
    print(`SKIPPED: ${fetched.skipped}`);
    return 0;
  }
  const results: CaseResult[] = [];
  for (const one of cases) {
    const result = await runCase(one, fetched.program);
    print(result.why === null ? `ok ${result.name}` : `not ok ${result.name}: ${result.why}`);
    results.push(result);
  }
  const failed = results.filter(({ why }) => why !== null).length;
  print(`${results.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
