/** A row of the method table, and its permitted callers. */

import { z } from 'zod';
import type { InputIssue } from './issue-text.ts';
import { once } from './once.ts';

export const principalKinds = ['owner-ui', 'owner-cli', 'paired-device', 'agent'] as const;
export type PrincipalKind = (typeof principalKinds)[number];
export type Principal = { readonly kind: PrincipalKind; readonly id?: string };

export const owner: readonly PrincipalKind[] = ['owner-ui', 'owner-cli'];
/** Not callable by a page. */
export const ownerByCli: readonly PrincipalKind[] = ['owner-cli'];
/** Also callable by a paired device through the local bridge, for the agents that its user owns. */
export const ownerOrDevice: readonly PrincipalKind[] = [...owner, 'paired-device'];
export const device: readonly PrincipalKind[] = ['paired-device'];

export interface MethodRow {
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  readonly callers: readonly PrincipalKind[];
}

/**
 * Each schema is created on first use, so that a host answers before creating those of two hundred methods.
 */
export function row<I extends z.ZodType, O extends z.ZodType>(
  input: () => I,
  output: () => O,
  callers = owner,
) {
  const [inputSchema, outputSchema] = [once(input), once(output)];
  return {
    get input(): I {
      return inputSchema();
    },
    get output(): O {
      return outputSchema();
    },
    callers,
  };
}

type ParsedInput<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly issues: readonly InputIssue[] };

/**
 * Like `safeParse`; a value on which zod itself throws, such as an object without a text form, counts as
 * invalid.
 */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): ParsedInput<z.output<S>> {
  try {
    const parsed = schema.safeParse(input);
    return parsed.success ? parsed : { success: false, issues: parsed.error.issues };
  } catch {
    return { success: false, issues: [] };
  }
}

export const none = z.strictObject({});
/** Digest of the values that a form loaded; sent back, it prevents overwriting a change made elsewhere. */
export const editVersion = z.string().max(64);
export const done = z.object({});
export const agentRef = z.strictObject({ agent: z.string().min(1).max(200) });
