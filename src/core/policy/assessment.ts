/** Assessment of a tool call: its effects, risk and preview, on which the policy decides. */

import type { HostText } from '../../language/host-message.ts';
import type { Source } from './source.ts';

export const toolGroups = ['core', 'files', 'puffo', 'memory', 'shell', 'puppy', 'mcp', 'code'] as const;

export type ToolGroup = (typeof toolGroups)[number];

export type Risk = 'low' | 'medium' | 'high';

/** Effect that a call would have, for policy decisions. Paths are absolute and resolved. */
export type Effect =
  | { readonly kind: 'read' | 'write' | 'delete'; readonly path: string }
  | {
      readonly kind: 'run';
      readonly argv: readonly string[];
      readonly cwd: string;
      readonly sandbox: SandboxKind;
    }
  | { readonly kind: 'send'; readonly to: string; readonly sameThread: boolean }
  | { readonly kind: 'network'; readonly host: string };

/**
 * `confined`: parsed, rebuilt, roots checked; `bubblewrap`: an OS sandbox; `container`: of Docker or podman;
 * `none`: the operator's own rights.
 */
export type SandboxKind = 'confined' | 'bubblewrap' | 'container' | 'none';

/** Shown to the operator in full. */
export interface CallPreview {
  readonly kind: 'command' | 'diff' | 'text';
  /** E.g. "write hello.md", read after "Guide wants to". */
  readonly title: HostText;
  readonly body: string;
  /** `body` is incomplete, so the call cannot be approved. */
  readonly cut?: true;
  /** Location of the effect: a folder, a room. */
  readonly where: HostText;
}

/** A tool's own assessment of one call, made without any effect; repeated directly before the call runs. */
export interface Assessment {
  readonly risk: Risk;
  readonly effects: readonly Effect[];
  readonly preview: CallPreview;
  /** The tool itself refuses: no policy, grant or answer changes that. `reason` is a stable code. */
  readonly blocked?: { readonly reason: string; readonly message: string; readonly details?: unknown };
}

/** Sources in a message to the turn's own conversation that not all of its readers may know (T9). */
export interface HeldBack {
  readonly roomId: string;
  /** Slugs; `null` if the readers are unknown. */
  readonly outsiders: readonly string[] | null;
  readonly sources: readonly Source[];
  /** Display text: "its files and its notes". */
  readonly what: HostText;
  /** Display text: `@ada-1`, or a room with the number of other readers. */
  readonly who: HostText;
}

export interface FileRoots {
  /** Absolute. */
  readonly cwd: string;
  readonly readable: readonly string[];
  /** Also readable. */
  readonly writable: readonly string[];
}
