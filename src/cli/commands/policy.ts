import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { type PolicyTest, policyModeSchema, policyRuleSchema } from '../../contract/consent.ts';
import { defineCommand } from '../command.ts';
import { withHost } from '../host-call.ts';
import { CommandFailure, exitOk, show, usageError } from '../terminal.ts';
import { visibleExactLine, visibleTerminalLine } from '../visible-text.ts';
import { parseWholeNumber } from '../whole-number.ts';

interface TestFlags {
  readonly json?: boolean;
  readonly days: string;
  readonly agent?: string;
}

const rules = z.array(policyRuleSchema).max(200);
const section = z.strictObject({ mode: policyModeSchema.optional(), rules: rules.default([]) });
/** Accepts a list of rules, a `policy` section, or a file that contains one. */
const rulesFile = z.union([
  rules.transform((list) => ({ rules: list, mode: undefined })),
  section,
  z.looseObject({ policy: section }).transform(({ policy }) => policy),
]);

const maxBytes = 256 * 1024;

function readRules(path: string): {
  rules: z.output<typeof rules>;
  mode?: z.output<typeof policyModeSchema> | undefined;
} {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new CommandFailure({ code: 'not_found', message: `The file ${path} cannot be read.` });
  }
  if (text.length > maxBytes) throw usageError('The file is too large for rules.');
  let value: unknown;
  try {
    value = parse(text, { maxAliasCount: 0 });
  } catch (error) {
    throw usageError(`${path} is not YAML: ${error instanceof Error ? error.message.split('\n')[0] : ''}`);
  }
  const parsed = rulesFile.safeParse(value);
  if (parsed.success) return parsed.data;
  throw usageError(
    `${path} does not hold rules.`,
    'A list of: action (allow, ask, deny), tool, pattern, path, risk.',
  );
}

function resultText(result: PolicyTest): string {
  const lines = result.changed.map(
    ({ at, agentId, title, was, would, why }) =>
      `${new Date(at).toISOString().slice(0, 16)}  ${visibleTerminalLine(agentId)}: ${visibleExactLine(title)}  ${was} -> ${would}  (${visibleTerminalLine(why)})`,
  );
  const sums = `Of ${result.calls} ${result.calls === 1 ? 'call' : 'calls'}: ${result.allowed} allowed, ${result.asked} asked about, ${result.denied} denied.`;
  return [
    sums,
    ...(lines.length === 0 ? ['Nothing would be different.'] : ['Different from then:', ...lines]),
  ].join('\n');
}

/** Tests rules against recent calls of agents. */
async function runTest(args: readonly string[], flags: TestFlags): Promise<number> {
  const days = parseWholeNumber('--days', flags.days, 1, 365);
  const { rules: list, mode } = readRules(args[0] ?? '');
  return withHost('running-host', async ({ call }) => {
    const result = await call('policy.test', {
      rules: list,
      days,
      ...(mode ? { mode } : {}),
      ...(flags.agent ? { agent: flags.agent } : {}),
    });
    show(flags.json === true, result, resultText(result));
    return exitOk;
  });
}

export const policyTestCommand = defineCommand({
  verb: 'test',
  args: '<rules>',
  options: [{ flags: '--days <number>', fallback: '30' }, { flags: '--agent <agent>' }],
  examples: [
    'policy test rules.yml',
    'policy test rules.yml --agent guide --days 7',
    'policy test agents/guide/agent.yml --json',
  ],
  run: runTest,
});
