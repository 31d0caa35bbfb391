/** Methods about operation: export, import, backup and maintenance. */
import { z } from 'zod';
import {
  exportedSchema,
  exportKindSchema,
  importChoices,
  importedSchema,
  importReviewSchema,
} from './bundles.ts';
import { hostTextSchema } from './host-text-schema.ts';
import { agentRef, done, none, type PrincipalKind, row } from './method-row.ts';
import { agentSummarySchema } from './model.ts';

/** Methods with a path: a page cannot name one. */
const terminal: readonly PrincipalKind[] = ['owner-cli'];

const importRef = z.strictObject({
  /** Absolute path of a file or folder. */
  path: z.string().min(1).max(4096),
  passphrase: z.string().min(1).max(1000).optional(),
});

export const operationMethods = {
  /** Gives an agent without one an identity that the operator attests. */
  'agents.register': row(
    () => agentRef,
    () => agentSummarySchema,
  ),
  /**
   * `bundle` contains the agent's keys, encrypted, and requires a passphrase; the other kinds contain no
   * secrets.
   */
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
  /** Reviews an import; unpacks nothing. */
  'bundles.review': row(
    () => importRef,
    () => importReviewSchema,
    terminal,
  ),
  /**
   * Registers a path for a page, which cannot name one; the page continues with `bundles.reviewBrought`.
   * Copies nothing.
   */
  'bundles.hold': row(
    () => z.strictObject({ path: z.string().min(1).max(4096) }),
    () => z.object({ transferId: z.string() }),
    terminal,
  ),
  /** Imports the reviewed agents, paused. */
  'bundles.import': row(
    () => importRef.extend(importChoices.shape),
    () => importedSchema,
    terminal,
  ),
  /** Copies the whole data folder while the host runs. */
  'backup.make': row(
    () => z.strictObject({ path: z.string().min(1).max(4096) }),
    () => z.object({ path: z.string(), files: z.number().int(), bytes: z.number() }),
    terminal,
  ),
  /** Restores the built-in primer. `kept` is the path of the edited one. */
  'primer.reset': row(
    () => z.strictObject({ agents: z.array(z.string().min(1).max(200)).max(1_000).default([]) }),
    () => z.object({ path: z.string(), changed: z.boolean(), kept: z.string() }),
  ),
  /** Renews the login of the agent's model; `unsupported` if it has none. */
  'agents.refreshLogin': row(
    () => agentRef,
    () => z.object({ provider: z.string() }),
  ),
  /** The app reports a downloaded version, which waits in the operator's queue for a restart. */
  'host.updateReady': row(
    () => z.strictObject({ version: z.string().min(1).max(100) }),
    () => done,
    ['owner-ui'],
  ),
  /** Does not fail without a network: `note` says why `latest` is `null`. */
  'host.checkUpdate': row(
    () => none,
    () =>
      z.object({
        current: z.string(),
        latest: z.string().nullable(),
        newer: z.boolean(),
        page: z.string(),
        note: hostTextSchema,
      }),
  ),
} as const;
