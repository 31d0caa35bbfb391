import { join } from 'node:path';
import type { AuditLine } from '../../contract/approvals.ts';
import { dataFolder } from '../../platform/data-folder.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy, shown } from '../copy.ts';
import { commandFailure, exitFailed, exitOk, show } from '../terminal.ts';
import { visibleTerminalLine } from '../visible-text.ts';

// Both commands only read files, so they work without a host and with a locked vault.

const folderOf = (): string => join(dataFolder(process.env), 'audit');

async function runVerify(_args: readonly string[], flags: { readonly json?: boolean }): Promise<number> {
  const { verifyAuditFolder } = await import('../../library/audit.ts');
  const verdict = verifyAuditFolder(folderOf());
  const lines = verdict.ok
    ? [
        copy('cliAudit.holds', { lines: verdict.lines }),
        ...(verdict.problem ? [shown(verdict.problem)] : []),
        copy('cliAudit.limits'),
      ]
    : [copy('cliAudit.broken', { why: verdict.problem })];
  show(flags.json === true, verdict, lines.join('\n'));
  return verdict.ok ? exitOk : exitFailed;
}

const lineText = ({ seq, at, kind, agentId, tool, outcome, detail }: AuditLine): string =>
  [seq, new Date(at).toISOString(), kind, agentId || '-', tool || '-', outcome, detail]
    .map((part) => visibleTerminalLine(String(part)))
    .join('  ');

async function runShow(
  _args: readonly string[],
  flags: { readonly json?: boolean; readonly agent?: string; readonly limit: string },
): Promise<number> {
  const limit = Number(flags.limit);
  if (!Number.isInteger(limit) || limit < 1)
    throw commandFailure('invalid_input', 'cliTerminal.takesNumber', { flag: '--limit' });
  const { readAuditFolder } = await import('../../library/audit.ts');
  const page = readAuditFolder(folderOf(), { limit, ...(flags.agent ? { agent: flags.agent } : {}) });
  const lines = page.lines.toReversed().map(lineText);
  show(flags.json === true, page, lines.join('\n') || copy('cliAudit.nothingDone'));
  return exitOk;
}

const verify = defineCommand({
  verb: 'verify',
  examples: ['audit verify', 'audit verify --json', 'audit verify || echo "The log was changed"'],
  run: runVerify,
});

const showLines = defineCommand({
  verb: 'show',
  options: [{ flags: '--agent <agent>' }, { flags: '--limit <number>', fallback: '50' }],
  examples: ['audit show', 'audit show --agent guide --limit 10', 'audit show --json'],
  run: runShow,
});

export const auditCommands: readonly CommandSpec[] = [verify, showLines];
