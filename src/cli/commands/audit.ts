import { join } from 'node:path';
import type { AuditLine } from '../../contract/consent.ts';
import { readAuditFolder, verifyAuditFolder } from '../../library/audit.ts';
import { dataFolder } from '../home.ts';
import { exitFailed, exitOk, show, usage } from '../terminal.ts';
import { visibleTerminalLine } from '../visible-text.ts';

// Both commands only read files, so they work without a host and with a locked vault.

const limits =
  'From these files alone it cannot be noticed that the whole log, or its end, was removed: a host that starts compares ' +
  'it with what it remembers, and shows in "kennel status" what is missing.';

const folderOf = (): string => join(dataFolder(process.env), 'audit');

export async function runVerify(
  _args: readonly string[],
  flags: { readonly json?: boolean },
): Promise<number> {
  const verdict = verifyAuditFolder(folderOf());
  const words = verdict.ok
    ? `The audit log holds: ${verdict.lines} lines, none changed, none missing in between.`
    : `The audit log does NOT hold. ${verdict.problem}`;
  const lines = [
    words,
    ...(verdict.ok && verdict.problem ? [verdict.problem] : []),
    ...(verdict.ok ? [limits] : []),
  ];
  show(flags.json === true, verdict, lines.join('\n'));
  return verdict.ok ? exitOk : exitFailed;
}

const lineText = ({ seq, at, kind, agentId, tool, outcome, detail }: AuditLine): string =>
  [seq, new Date(at).toISOString(), kind, agentId || '-', tool || '-', outcome, detail]
    .map((part) => visibleTerminalLine(String(part)))
    .join('  ');

export async function runShow(
  _args: readonly string[],
  flags: { readonly json?: boolean; readonly agent?: string; readonly limit: string },
): Promise<number> {
  const limit = Number(flags.limit);
  if (!Number.isInteger(limit) || limit < 1) throw usage('--limit takes a number.');
  const page = readAuditFolder(folderOf(), { limit, ...(flags.agent ? { agent: flags.agent } : {}) });
  const lines = page.lines.toReversed().map(lineText);
  show(flags.json === true, page, lines.join('\n') || 'Nothing has been done yet.');
  return exitOk;
}
