import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { type PolicyTest, policyModeSchema, policyRuleSchema } from '../../contract/approvals.ts';
import { errorText } from '../../contract/errors.ts';
import { defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { commandFailure, exitOk, show } from '../terminal.ts';
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
    throw commandFailure('not_found', 'cliTerminal.fileUnreadable', { file: path });
  }
  if (text.length > maxBytes) throw commandFailure('invalid_input', 'cliPolicy.tooLarge');
  let value: unknown;
  try {
    value = parse(text, { maxAliasCount: 0 });
  } catch (error) {
    throw commandFailure('invalid_input', 'cliPolicy.notYaml', {
      path,
      why: errorText(error).split('\n')[0] ?? '',
    });
  }
  const parsed = rulesFile.safeParse(value);
  if (parsed.success) return parsed.data;
  throw commandFailure('invalid_input', 'cliPolicy.holdsNoRules', { path }, { help: 'cliPolicy.ruleList' });
}

function resultText(result: PolicyTest): string {
  const lines = result.changed.map(
    ({ at, agentId, title, was, would, why }) =>
      `${new Date(at).toISOString().slice(0, 16)}  ${visibleTerminalLine(agentId)}: ${visibleExactLine(title)}  ${was} -> ${would}  (${visibleTerminalLine(why)})`,
  );
  const { calls, allowed, asked, denied } = result;
  return [
    copy('cliPolicy.sums', { calls, allowed, asked, denied }),
    ...(lines.length === 0 ? [copy('cliPolicy.nothingDifferent')] : [copy('cliPolicy.different'), ...lines]),
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
