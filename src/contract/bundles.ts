/** Agents that leave and come: what an export holds, and what an import would bring before it is let in. */
import { z } from 'zod';

export const exportKindSchema = z.enum(['bundle', 'zip', 'folder']);
export type ExportKind = z.infer<typeof exportKindSchema>;

export const exportedSchema = z.object({
  path: z.string(),
  kind: exportKindSchema,
  files: z.number().int(),
  bytes: z.number().int(),
  /** Files that stayed behind: links, and what may hold secrets. */
  left: z.array(z.string()),
});

export const incomingAgentSchema = z.object({
  id: z.string(),
  displayName: z.string(),
  role: z.string(),
  /** The beginning of its character. */
  soul: z.string(),
  runtime: z.object({ kind: z.string(), provider: z.string(), model: z.string(), baseUrl: z.string() }),
  tools: z.array(z.string()),
  triggers: z.array(z.string()),
  /** What it allows itself, in sentences; taken over only when it is trusted. */
  permissions: z.array(z.string()),
  files: z.number().int(),
  bytes: z.number(),
  notes: z.number().int(),
  /** Links and such, which do not come along. */
  left: z.array(z.string()),
  /** Null: it comes without keys that can be used, `identityNote` says why. */
  identity: z
    .object({
      slug: z.string(),
      serverUrl: z.string(),
      vouchedBy: z.enum(['you', 'somebody else', 'nobody']),
    })
    .nullable(),
  identityNote: z.string(),
  apiKey: z.boolean(),
  /** Why it cannot come in as it is; empty when it can. */
  problem: z.string(),
});
export type IncomingAgent = z.infer<typeof incomingAgentSchema>;

export const importReviewSchema = z.object({
  kind: z.enum(['bundle', 'zip', 'folder', 'home', 'keys']),
  /** Of what was looked at: the import is refused when it has changed since. */
  digest: z.string(),
  agents: z.array(incomingAgentSchema),
  /** Of a store of keys: whose they are, and what becomes of each. */
  identities: z.array(
    z.object({ slug: z.string(), type: z.string(), serverUrl: z.string(), use: z.string() }),
  ),
  /** Providers whose keys come along with a whole home. */
  providerKeys: z.array(z.string()),
});
export type ImportReview = z.infer<typeof importReviewSchema>;

export const importedSchema = z.object({
  agents: z.array(
    z.object({
      from: z.string(),
      id: z.string(),
      imported: z.boolean(),
      registered: z.boolean(),
      note: z.string(),
    }),
  ),
  /** What else was done, in sentences. */
  notes: z.array(z.string()),
});
export type Imported = z.infer<typeof importedSchema>;

/** What is to be let in of an archive that was looked at; `digest` is that of what was shown. */
export const importChoices = z.strictObject({
  digest: z.string().min(1).max(200),
  /** Of several, only these. */
  only: z.array(z.string().max(200)).max(10_000).optional(),
  /** Another id for the one agent. */
  as: z.string().max(200).optional(),
  /** Also its permissions, folders and model address. */
  trust: z.boolean().default(false),
  /** `new`: its keys are left out. */
  identity: z.enum(['keep', 'new']).default('keep'),
});
