/** What a row of the method table consists of, and who may be the caller of one. */
import { z } from 'zod';

export const principalKinds = ['owner-ui', 'owner-cli', 'paired-device', 'agent'] as const;
export type PrincipalKind = (typeof principalKinds)[number];
export type Principal = { readonly kind: PrincipalKind; readonly id?: string };

export const owner: readonly PrincipalKind[] = ['owner-ui', 'owner-cli'];
/** A device that the operator paired, through the local bridge, for the agents it owns. */
export const ownerOrDevice: readonly PrincipalKind[] = [...owner, 'paired-device'];
export const device: readonly PrincipalKind[] = ['paired-device'];

export interface MethodRow {
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  readonly callers: readonly PrincipalKind[];
}

export const row = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O, callers = owner) => ({
  input,
  output,
  callers,
});

export const none = z.strictObject({});
export const done = z.object({});
export const agentRef = z.strictObject({ agent: z.string().min(1).max(200) });
