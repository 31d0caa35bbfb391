/** The runtime sdk-local with the real Claude Agent SDK, as the host starts it: in its wall, by its relay. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { canaryChecks, sdkHarness } from '../../src/contract/harnesses.ts';
import { countingTool } from '../fakes/runtime-rig.ts';
import type { AcpCase } from './acp-cases.ts';
import { anthropic, call, suiteOf } from './acp-programs.ts';
import type { AcpProgram } from './acp-world.ts';
import { passesCanary } from './canary-result.ts';
import { isDone, isFailed } from './claude-world.ts';
import { cachedHarness, type HarnessSuite } from './harness-suite.ts';

const version = '0.3.318';
const folder = `agent-sdk-${version}`;
/** As the host finds it: below the PATH of the person. */
const searched = [path.join(cachedHarness(folder), 'node_modules', '.bin'), path.dirname(process.execPath)];

const agentSdk: AcpProgram = {
  id: sdkHarness,
  package: {
    title: `Claude Agent SDK ${version}`,
    folder,
    packages: [`@anthropic-ai/claude-agent-sdk@${version}`],
    program: 'node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs',
  },
  model: anthropic,
  calls: {
    shell: (command) => call('Bash', { command }),
    write: (file_path, content) => call('Write', { file_path, content }),
    edit: (file_path, old_string, new_string) => call('Edit', { file_path, old_string, new_string }),
    read: (file_path) => call('Read', { file_path }),
  },
  permissive: { file: '.claude/settings.json', text: '{"permissions":{"allow":["Bash(*)"]}}' },
  path: searched.join(path.delimiter),
  resumesAfterMs: 0,
  lacks: {
    hostTools: 'it has a case of its own',
    rewrite: 'the canary proves it',
    steer: 'the suite of Claude Code proves it',
    subAgents: 'it has a case of its own',
  },
};

const sent = countingTool('send_message', { group: 'puffo' });

const cases: readonly AcpCase[] = [
  {
    name: 'asks for a harmless command, once, and before it reads',
    async run({ turn, rig }) {
      await turn(call('Bash', { command: 'echo hi' }));
      await turn(call('Read', { file_path: path.join(rig.workspace, 'none.txt') }));
      return rig.checked.map(({ tool }) => tool).join() === 'shell,read_file';
    },
  },
  {
    name: 'asks for the actions of a sub-agent',
    async run({ turn, rig }) {
      const prompt = call('Bash', { command: 'touch inner' });
      await turn(call('Task', { description: 'd', prompt, subagent_type: 'general-purpose' }));
      return rig.checked.some(({ args }) => args.cmd === 'touch inner');
    },
  },
  {
    name: 'calls the tools of the host',
    tools: [sent],
    async run({ turn }) {
      await turn(call('mcp__puffo__send_message', { path: 'x' }));
      return sent.done.length === 1;
    },
  },
  {
    name: 'ends a turn at the limit of max_turns, and goes on with the next message',
    async run({ turn, rig }) {
      const end = await turn('LOOP');
      const isEnded = isFailed(end, 'too_large') && rig.checked.length <= 10;
      return isEnded && isDone(await turn('hi'), 'hello');
    },
  },
  {
    name: 'passes the canary: asks for shell, edit, network and sub-agent, obeys denials and rewritten input',
    async run() {
      const passed = await passesCanary(sdkHarness, searched.join(path.delimiter));
      return canaryChecks.every((check) => passed.includes(check));
    },
  },
  {
    name: 'writes nothing into the home folder of the person',
    async run({ turn }) {
      const had = existsSync(path.join(homedir(), '.claude'));
      return isDone(await turn('hi'), 'hello') && existsSync(path.join(homedir(), '.claude')) === had;
    },
  },
];

export const agentSdkSuite = (): HarnessSuite => suiteOf(agentSdk, cases);
