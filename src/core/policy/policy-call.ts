/** One call as the policy sees it, and what holds for the agent that makes it. Plain data; nothing is looked up here. */
import type { PolicyMode, PolicyRule } from '../../contract/consent.ts';
import type { Assessment, FileRoots, HeldBack, ToolGroup } from '../tool-ports.ts';

export interface PolicyCall {
  readonly tool: string;
  readonly group: ToolGroup | null;
  readonly args: Readonly<Record<string, unknown>>;
  readonly assessment: Pick<Assessment, 'risk' | 'effects' | 'blocked'>;
  readonly tainted: boolean;
  /** Sources that part of the audience may not read. */
  readonly heldBack?: HeldBack;
  /** sha256, hex, of what is asked: agent, tool, arguments, effects, title and place. */
  readonly digest: string;
}

/** A standing answer of the operator. */
export interface GrantRule {
  readonly id: string;
  readonly tool: string;
  readonly scope: 'session' | 'exact' | 'pattern';
  /** Fits exactly the call of this digest; null for a pattern. */
  readonly digest: string | null;
  /** `Name(glob)`; empty when the digest decides. */
  readonly pattern: string;
}

export interface AgentPolicy {
  readonly mode: PolicyMode;
  readonly rules: readonly PolicyRule[];
  /** For all agents; null mode: each agent's own. */
  readonly daemon: { readonly mode: PolicyMode | null; readonly rules: readonly PolicyRule[] };
  readonly roots: FileRoots;
  /** What `~` stands for in rules. */
  readonly home: string;
  /** Kennel's own files: no grant and no rule lets an agent write there. */
  readonly protectedRoots: readonly string[];
  /** Below a protected root, and nevertheless the agent's: its workspace, its notes. */
  readonly ownRoots: readonly string[];
  /** Where its notes are, which are part of every prompt: only its memory tools write there by themselves. */
  readonly notes?: string;
  /** Whether this folder, absolute, is one that git takes for a repository; absent: nobody can look. */
  isRepository?(folder: string): boolean;
}

export interface Verdict {
  readonly verdict: 'allow' | 'ask' | 'deny';
  /** A sentence for a person. */
  readonly why: string;
  readonly by: 'tool' | 'rule' | 'never_auto' | 'taint' | 'release' | 'grant' | 'mode';
  readonly grantId?: string;
}

export const modeInForce = (policy: Pick<AgentPolicy, 'mode' | 'daemon'>): PolicyMode =>
  policy.daemon.mode ?? policy.mode;
