/** The programs that Kennel starts by the Agent Client Protocol, and the suite that each passes. */

import { harnessFacts } from '../../src/contract/harnesses.ts';
import type { GateDecision } from '../../src/core/approvals/approval-gate.ts';
import { type AcpCase, acpCases } from './acp-cases.ts';
import { type AcpProgram, fetchAcp, withAcp } from './acp-world.ts';
import { type ContainerWorld, createContainerWorld } from './container-world.ts';
import type { HarnessSuite } from './harness-suite.ts';

export const call = (tool: string, input: object): string => `TOOL ${tool} ${JSON.stringify(input)} END`;
export const anthropic = { provider: 'anthropic', adapter: 'anthropic', model: 'claude-sonnet-4-5' } as const;

const byProtocol = {
  rewrite: 'the protocol cannot change the arguments of a call',
  steer: 'the protocol has no message during a turn; the message starts the next turn',
} as const;

export const gemini: AcpProgram = {
  id: 'gemini-cli',
  package: {
    title: 'Gemini CLI 0.61.0',
    folder: 'gemini-0.61.0',
    packages: ['@google/gemini-cli@0.61.0'],
    program: 'node_modules/.bin/gemini',
  },
  model: { provider: 'google', adapter: 'google', model: 'gemini-2.5-pro' },
  calls: {
    shell: (command) => call('run_shell_command', { command }),
    write: (file_path, content) => call('write_file', { file_path, content }),
    edit: (file_path, old_string, new_string) =>
      call('replace', { file_path, instruction: 'i', old_string, new_string }),
    host: (tool, input) => call(`mcp_puffo_${tool}`, input),
  },
  permissive: {
    file: '.gemini/settings.json',
    text: '{"tools":{"allowed":["run_shell_command","write_file"]}}',
  },
  lacks: { ...byProtocol, subAgents: 'its policy denies them in the mode that asks' },
  // It names the file of a session by the minute, and empties a file of the minute in which it loads it.
  resumesAfterMs: 61_000,
};

const pi: AcpProgram = {
  id: 'pi',
  package: {
    title: 'pi 0.87.1',
    folder: 'pi-0.87.1',
    packages: ['@earendil-works/pi-coding-agent@0.87.1', 'pi-acp@0.0.34'],
    program: 'node_modules/.bin/pi-acp',
  },
  model: anthropic,
  calls: {
    shell: (command) => call('bash', { command }),
    write: (path, content) => call('write', { path, content }),
    edit: (path, oldText, newText) => call('edit', { path, oldText, newText }),
  },
  permissive: null,
  resumesAfterMs: 0,
  lacks: {
    ...byProtocol,
    hostTools: 'its adapter ignores MCP servers',
    subAgents: 'it has none',
  },
};

const { platform, arch } = process;
const openCode: AcpProgram = {
  id: 'opencode',
  package: {
    title: 'OpenCode 1.18.33',
    folder: 'opencode-1.18.33',
    packages: ['opencode-ai@1.18.33'],
    program: `node_modules/opencode-${platform}-${arch}/bin/opencode`,
  },
  model: anthropic,
  calls: {
    shell: (command) => call('bash', { command, description: 'd' }),
    write: (filePath, content) => call('write', { filePath, content }),
    edit: (filePath, oldString, newString) => call('edit', { filePath, oldString, newString }),
    host: (tool, input) => call(`puffo_${tool}`, input),
  },
  permissive: { file: 'opencode.json', text: '{"permission":{"*":"allow"}}' },
  resumesAfterMs: 0,
  lacks: { ...byProtocol, subAgents: 'they are switched off, because their requests do not arrive' },
};

/** Its edits go through the shell, because it offers other tools only to models that it knows. */
export const codexProgram: AcpProgram = {
  id: 'codex',
  package: {
    title: 'Codex 0.169.0',
    folder: 'codex-0.169.0',
    packages: ['@openai/codex@0.169.0', '@agentclientprotocol/codex-acp@2.6.0'],
    program: 'node_modules/.bin/codex-acp',
  },
  model: { provider: 'openai', adapter: 'openai-responses', model: 'gpt-4o' },
  calls: {
    shell: (command) => call('exec_command', { cmd: command }),
    write: (file, content) => call('exec_command', { cmd: `printf %s '${content}' > ${file}` }),
    edit: (file, from, to) => call('exec_command', { cmd: `sed -i s/${from}/${to}/ ${file}` }),
  },
  permissive: null,
  resumesAfterMs: 0,
  lacks: { ...byProtocol, subAgents: 'it offers them only to models that it knows' },
};

export const deny: GateDecision = { type: 'deny', by: 'operator', reason: 'The operator denied it.' };

/** `inside`: prepares the container in which every case runs. */
export function suiteOf(
  program: AcpProgram,
  own: readonly AcpCase[] = [],
  inside?: (program: AcpProgram) => Promise<ContainerWorld>,
): HarnessSuite {
  const fetched = fetchAcp(program);
  if ('skipped' in fetched) return fetched;
  const { gate } = harnessFacts(program.id);
  const fitting = [...acpCases, ...own].filter(
    ({ asks, needs }) =>
      (asks === undefined || asks === (gate !== 'never')) && (needs === undefined || program[needs] !== null),
  );
  let prepared: Promise<ContainerWorld> | null = null;
  const world = async (): Promise<ContainerWorld | undefined> => {
    prepared ??= inside?.(program) ?? null;
    return (await prepared) ?? undefined;
  };
  return {
    end: async () => (await prepared)?.end(),
    cases: fitting.map(
      ({ name, run, feature, isQuick = false, isDenied = false, noise = [], tools = [] }) => ({
        name,
        isQuick,
        notOffered: (feature && program.lacks[feature]) ?? null,
        skipped:
          feature === 'hostTools' && !program.calls.host
            ? 'not tried: the scripted model does not know the names of its tools'
            : null,
        async run() {
          const container = await world();
          return withAcp(
            program,
            fetched.program,
            {
              noise,
              tools,
              ...(isDenied && { decide: async () => deny }),
              ...(container && { inside: container }),
            },
            (one) => run(one, program),
          );
        },
      }),
    ),
  };
}

export const acpSuites = {
  gemini: () => suiteOf(gemini),
  pi: () => suiteOf(pi),
  opencode: () => suiteOf(openCode),
  codex: () => suiteOf(codexProgram),
  piInContainer: () => suiteOf(pi, [], createContainerWorld),
};
