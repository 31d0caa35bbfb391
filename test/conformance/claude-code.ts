/** The cli-local runtime with the real Claude Code: alone, and as the host starts it inside a wall. */
import path from 'node:path';
import { canaryChecks } from '../../src/contract/harnesses.ts';
import type { GateDecision } from '../../src/core/approvals/approval-gate.ts';
import { claudeArguments } from '../../src/host/harnesses/claude-recipe.ts';
import type { ClaudeRig, ClaudeRigOptions } from '../fakes/claude-rig.ts';
import type { MessagesServer } from '../fakes/messages-server.ts';
import { countingTool } from '../fakes/runtime-rig.ts';
import { passesCanary } from './canary-result.ts';
import { wallCases } from './claude-wall-cases.ts';
import { type ClaudeWorld, isDone, isFailed, withClaude } from './claude-world.ts';
import { fetchHarness, type HarnessCase, type HarnessPackage, type HarnessSuite } from './harness-suite.ts';

const deny: GateDecision = { type: 'deny', by: 'operator', reason: 'The operator denied it.' };

type Case = readonly [
  name: string,
  run: (world: ClaudeWorld) => Promise<boolean>,
  options?: Omit<ClaudeRigOptions, 'command'>,
];

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
  [
    'reports that the program was killed, and resumes its session',
    async ({ turn, rig }) => {
      const end = await turn('TOOL Bash {"command":"kill -9 $PPID"} END');
      return isFailed(end, 'unavailable') && isDone(await turn('again'), 'hello') && rig.started() === 2;
    },
  ],
  ['reports a refused key', async ({ turn }) => isFailed(await turn('STATUS 401'), 'unauthenticated')],
  ['reports a refused request', async ({ turn }) => isFailed(await turn('STATUS 400'), 'model_error')],
  ['reports a full server', async ({ turn }) => isFailed(await turn('STATUS 529'), 'unavailable')],
];

/** Part of `npm test`. */
const quick = new Set([
  'asks before a command, even a harmless one',
  'does not do what was denied',
  'is interrupted, and goes on',
  'resumes its session in a new process',
]);

const version = '2.1.330';
const { platform, arch } = process;

export const claudeCodePackage: HarnessPackage = {
  title: `Claude Code ${version}`,
  folder: `claude-code-${version}`,
  packages: [`@anthropic-ai/claude-code@${version}`],
  program: `node_modules/@anthropic-ai/claude-code-${platform}-${arch}/claude`,
};

export function claudeCodeSuite(): HarnessSuite {
  const fetched = fetchHarness(claudeCodePackage);
  if ('skipped' in fetched) return fetched;
  const { program } = fetched;
  const alone = cases.map(
    ([name, run, options]): HarnessCase => ({
      name,
      isQuick: quick.has(name),
      run: () => withClaude((server) => ({ ...options, command: bareCommand(program, server) }), run),
    }),
  );
  const noisy: HarnessCase = {
    name: 'works with noise on its standard output',
    run: () =>
      withClaude(
        (server) => ({ command: noisyCommand(bareCommand(program, server)) }),
        async ({ turn }) => isDone(await turn('hi'), 'hello'),
      ),
  };
  const canary: HarnessCase = {
    name: 'passes the canary: asks for shell, edit, network and sub-agent, obeys denials and rewritten input',
    isQuick: true,
    run: async () => {
      const passed = await passesCanary('claude-code', path.dirname(program));
      return canaryChecks.every((check) => passed.includes(check));
    },
  };
  return { cases: [...alone, noisy, canary, ...wallCases(program)] };
}

type Command = NonNullable<ClaudeRigOptions['command']>;

const noisyCommand = ({ argv, env }: Command): Command => ({
  argv: [
    '/bin/sh',
    '-c',
    'echo "npm warn noise"; echo "{\\"type\\":\\"assistant\\""; exec "$@"',
    'sh',
    ...argv,
  ],
  env,
});

function bareCommand(program: string, { url }: MessagesServer): Command {
  return {
    argv: [program, ...claudeArguments],
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_MAX_RETRIES: '2',
      DISABLE_AUTOUPDATER: '1',
    },
  };
}
