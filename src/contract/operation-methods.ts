/** Rows of the method table about keeping Kennel going: agents that leave and come, and what is looked after by hand. */
import { z } from 'zod';
import {
  exportedSchema,
  exportKindSchema,
  importChoices,
  importedSchema,
  importReviewSchema,
} from './bundles.ts';
import { agentRef, none, type PrincipalKind, row } from './method-row.ts';
import { agentSummarySchema } from './model.ts';

/** Rows with a path: a page never names one. */
const terminal: readonly PrincipalKind[] = ['owner-cli'];

const importRef = z.strictObject({
  /** Whole path of a file or folder. */
  path: z.string().min(1).max(4096),
  passphrase: z.string().min(1).max(1000).optional(),
});

export const operationMethods = {
  /** Gives an agent without one an identity that the operator vouches for. */
  'agents.register': row(
    () => agentRef,
    () => agentSummarySchema,
  ),
  /** `bundle` carries the agent's keys, encrypted, and wants a passphrase; the others carry no secrets. */
  'bundles.export': row(
    () =>
      importRef.extend({
        agent: z.string().min(1).max(200),
        kind: exportKindSchema,
        replace: z.boolean().default(false),
      }),
    () => exportedSchema,
    terminal,
  ),
  /** What an import would bring. Nothing is unpacked. */
  'bundles.review': row(
    () => importRef,
    () => importReviewSchema,
    terminal,
  ),
  /** Holds what lies at a path for a page, which can name none: it goes on with `bundles.reviewBrought`. Nothing is copied. */
  'bundles.hold': row(
    () => z.strictObject({ path: z.string().min(1).max(4096) }),
    () => z.object({ transferId: z.string() }),
    terminal,
  ),
  /** Lets in what was reviewed, paused. */
  'bundles.import': row(
    () => importRef.extend(importChoices.shape),
    () => importedSchema,
    terminal,
  ),
  /** The whole data folder, copied aside while the host runs. */
  'backup.make': row(
    () => z.strictObject({ path: z.string().min(1).max(4096) }),
    () => z.object({ path: z.string(), files: z.number().int(), bytes: z.number() }),
    terminal,
  ),
  /** Puts the built-in primer back. `kept`: where an edited one lies now. */
  'primer.reset': row(
    () => z.strictObject({ agents: z.array(z.string().min(1).max(200)).max(1_000).default([]) }),
    () => z.object({ path: z.string(), changed: z.boolean(), kept: z.string() }),
  ),
  /** Renews the login the agent thinks with; `unsupported` when it has none. */
  'agents.refreshLogin': row(
    () => agentRef,
    () => z.object({ provider: z.string() }),
  ),
  /** Never fails for want of a network: `note` says why `latest` is null. */
  'host.checkUpdate': row(
    () => none,
    () =>
      z.object({
        current: z.string(),
        latest: z.string().nullable(),
        newer: z.boolean(),
        page: z.string(),
        note: z.string(),
      }),
  ),
} as const;
