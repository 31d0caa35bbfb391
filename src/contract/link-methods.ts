/** Methods about invite links to spaces: own ones, and those of other people. */
import { z } from 'zod';
import { done, row } from './method-row.ts';

const id = z.string().min(1).max(200);
/** A space by id or name. */
const spaceRef = z.strictObject({ space: id });
/** `kennel://join?server=…#…` */
const link = z.string().min(1).max(1_000);

const spaceLinkSchema = z.object({
  id: z.string(),
  inviterSlug: z.string(),
  inviterName: z.string(),
  createdAt: z.number(),
  /** ms since the epoch; `null` if it never expires. */
  expiresAt: z.number().nullable(),
  /** `null` for any number of people. */
  maxUses: z.number().int().nullable(),
  uses: z.number().int(),
});
export type SpaceLinkView = z.infer<typeof spaceLinkSchema>;

export const linkMethods = {
  /** `link` contains the secret and is returned this once. `null` days never end; `null` uses are unlimited. */
  'links.create': row(
    () =>
      spaceRef.extend({
        days: z.number().int().min(1).max(365).nullable(),
        uses: z.number().int().min(1).max(1_000).nullable(),
      }),
    () =>
      z.object({ id: z.string(), link: z.string(), expiresAt: z.number().nullable(), serverUrl: z.string() }),
  ),
  /** Without revoked ones. */
  'links.list': row(
    () => spaceRef,
    () => z.object({ links: z.array(spaceLinkSchema) }),
  ),
  'links.revoke': row(
    () => spaceRef.extend({ link: id }),
    () => done,
  ),
  /** Connects to the link's server. `conflict` without a connection if the operator is at another server. */
  'links.look': row(
    () => z.strictObject({ link }),
    () =>
      z.object({
        serverUrl: z.string(),
        spaceId: z.string(),
        spaceName: z.string(),
        inviterSlug: z.string(),
        inviterName: z.string(),
        signsUp: z.boolean(),
        /** The operator has an account at that server. */
        signedUp: z.boolean(),
      }),
  ),
  /** Idempotent. Signs up first if the host has no operator; `username` is then required. */
  'links.join': row(
    () =>
      z.strictObject({
        link,
        username: z.string().min(1).max(60).optional(),
        displayName: z.string().max(240).optional(),
      }),
    () => z.object({ spaceId: z.string(), spaceName: z.string(), slug: z.string() }),
  ),
} as const;
