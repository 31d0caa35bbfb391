/** Audit log entries of a decision: the decision, and its standing answer. */
import type { Approval } from '../../contract/approvals.ts';
import { ok, type Result } from '../../contract/result.ts';
import { englishText, type HostText } from '../../language/host-message.ts';
import type { AuditPort } from './approval-ports.ts';

/** `rule`: text of the standing answer; `null` if none. Ok once all entries are on disk. */
export async function auditDecision(
  audit: AuditPort,
  approval: Approval,
  rule: HostText | null,
): Promise<Result<void>> {
  const { agentId, subject: tool, digest, state, decision } = approval;
  const surface = decision?.surface ?? '';
  const by = { agentId, tool, digest };
  const detail = [approval.id, surface, decision?.scope ?? '', decision?.by ?? ''].filter(Boolean).join(' ');
  const lines = [audit.append({ ...by, kind: 'decision', outcome: state, detail })];
  if (rule !== null)
    lines.push(
      audit.append({ ...by, kind: 'grant', outcome: decision?.scope ?? '', detail: englishText(rule) }),
    );
  const written = await Promise.all(lines);
  return written.find((line) => !line.ok) ?? ok(undefined);
}

/** Records one of several required approvals. */
export const auditVote = (
  audit: AuditPort,
  { id, agentId, subject: tool, digest }: Approval,
  surface: string,
  by: string,
): Promise<Result<void>> =>
  audit.append({
    kind: 'decision',
    agentId,
    tool,
    digest,
    outcome: 'agreed',
    detail: [id, surface, by].join(' '),
  });
