/** A tool call as the policy sees it, and the policy of its agent. Plain data without look-ups. */
import type { PolicyMode, PolicyRule } from '../../contract/approvals.ts';
import type { HostText } from '../../language/host-message.ts';
import type { Assessment, FileRoots, HeldBack, ToolGroup } from './assessment.ts';

export interface PolicyCall {
  readonly tool: string;
  readonly group: ToolGroup | null;
  readonly args: Readonly<Record<string, unknown>>;
  readonly assessment: Pick<Assessment, 'risk' | 'effects' | 'blocked'>;
  readonly tainted: boolean;
  /** Sources that part of the audience may not read. */
  readonly heldBack?: HeldBack;
  /** Hex SHA-256 of the question: agent, tool, arguments, effects, title and location. */
  readonly digest: string;
}

/** Standing answer of the operator. */
export interface GrantRule {
  readonly id: string;
  readonly tool: string;
  readonly scope: 'session' | 'exact' | 'pattern';
  /** Matches exactly the call of this digest; `null` for a pattern. */
  readonly digest: string | null;
  /** `Name(glob)`; empty if the digest decides. */
  readonly pattern: string;
}

export interface AgentPolicy {
  readonly mode: PolicyMode;
  readonly rules: readonly PolicyRule[];
  /** Settings for all agents; `mode`: `null` if each agent has its own. */
  readonly daemon: { readonly mode: PolicyMode | null; readonly rules: readonly PolicyRule[] };
  readonly roots: FileRoots;
  /** The agent may only read and write messages. */
  readonly onlyPlans?: boolean;
  /** Patterns of agent.yml; a tool that some of them name may only do what one of them covers. */
  readonly allowedTools?: readonly string[];
  /** Expansion of `~` in rules. */
  readonly home: string;
  /** Kennel's own files: no grant and no rule lets an agent write there. */
  readonly protectedRoots: readonly string[];
  /** Agent's own folders below a protected root: its workspace and its notes. */
  readonly ownRoots: readonly string[];
  /**
   * Folder of its notes, which are part of every prompt: only its memory tools write there without asking.
   */
  readonly notes?: string;
  /** Whether git treats this absolute folder as a repository; absent if the caller cannot check. */
  isRepository?(folder: string): boolean;
}

export interface PolicyVerdict {
  readonly verdict: 'allow' | 'ask' | 'deny';
  /** A sentence for people. */
  readonly why: HostText;
  readonly by: 'tool' | 'rule' | 'never_auto' | 'taint' | 'release' | 'grant' | 'mode';
  readonly grantId?: string;
}

export const modeInForce = (policy: Pick<AgentPolicy, 'mode' | 'daemon'>): PolicyMode =>
  policy.daemon.mode ?? policy.mode;
