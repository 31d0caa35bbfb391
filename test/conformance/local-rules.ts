/**
 * Sections of the suite `puffo-local` about rules: valid runtimes, coverage of tool patterns, request names.
 */
import { z } from 'zod';
import { looksLikeHost } from '../../src/core/agents/mcp-servers.ts';
import { checkTriple, effectiveTriple } from '../../src/core/agents/runtime-triple.ts';
import type { Effect } from '../../src/core/policy/assessment.ts';
import { toolPatternFits } from '../../src/core/policy/patterns.ts';
import type { PolicyCall } from '../../src/core/policy/policy-call.ts';
import { requestContent, requestPath } from '../../src/services/agent-store/agent-folder.ts';
import { agentRequests } from '../../src/services/agent-store/agent-types.ts';
import { expectSame, type Section, type Suite, testCase } from './case.ts';

const triples = z.array(
  z.object({
    runtime: z.string(),
    provider: z.string(),
    harness: z.string(),
    ok: z.boolean(),
    effective_provider: z.string(),
    effective_harness: z.string(),
  }),
);

const runtimeMatrix: Section = (value) =>
  triples.parse(value).map(({ runtime: kind, provider, harness, ...expected }) =>
    testCase(`${kind}/${provider}/${harness}`, () => {
      const triple = { kind, provider, harness };
      expectSame(checkTriple(triple).ok, expected.ok, 'ok');
      const effective = effectiveTriple(triple);
      expectSame(effective.provider, expected.effective_provider, 'provider');
      expectSame(effective.harness, expected.effective_harness, 'harness');
    }),
  );

const base = { cwd: '/home/agent/workspace', home: '/home/agent' };
/** Kennel's names of Claude Code's tools. */
const ownNames: Readonly<Record<string, string>> = { Read: 'read_file', Bash: 'bash_exec' };

function effectsOf(input: Readonly<Record<string, unknown>>): readonly Effect[] {
  const path = input.file_path ?? input.path;
  if (typeof path === 'string') return [{ kind: 'read', path: `${base.cwd}/${path}` }];
  if (typeof input.command !== 'string') return [];
  return [{ kind: 'run', argv: input.command.split(' '), cwd: base.cwd, sandbox: 'confined' }];
}

function callOf(tool: string, input: Readonly<Record<string, unknown>>): PolicyCall {
  return {
    tool: ownNames[tool] ?? tool,
    group: null,
    args: typeof input.command === 'string' ? { cmd: input.command } : input,
    assessment: { risk: 'low', effects: effectsOf(input) },
    tainted: false,
    digest: '',
  };
}

const toolPatterns: Section = (value) =>
  z
    .array(
      z.object({
        tool: z.string(),
        input: z.record(z.string(), z.unknown()),
        pattern: z.string(),
        match: z.boolean(),
      }),
    )
    .parse(value)
    .map(({ tool, input, pattern, match }) =>
      testCase(`${tool} ${pattern}`, () =>
        expectSame(toolPatternFits(pattern, callOf(tool, input), base, 'covers'), match, 'match'),
      ),
    );

const hostCommands: Section = (value) =>
  z
    .array(z.object({ command: z.string(), host_local: z.boolean() }))
    .parse(value)
    .map(({ command, host_local }) =>
      testCase(`"${command}"`, () =>
        expectSame(looksLikeHost({ command, args: [] }), host_local, 'host_local'),
      ),
    );

const flagFiles: Section = (value) => {
  const { content, ...paths } = z.record(z.string(), z.string()).parse(value);
  return [
    testCase('content', () => expectSame(requestContent, content, 'content')),
    testCase('names', () => expectSame([...agentRequests].sort(), Object.keys(paths).sort(), 'names')),
    ...agentRequests.map((request) =>
      testCase(request, () => expectSame(requestPath('agents/<id>', request), paths[request], 'path')),
    ),
  ];
};

export const localRules: Suite = {
  runtime_matrix: runtimeMatrix,
  tool_patterns: toolPatterns,
  flag_files: flagFiles,
  host_local_command: hostCommands,
};
