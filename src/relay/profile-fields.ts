/** Limits of profile fields; lengths in code points (spec §2.2, §6.7, §12.8). */
import { z } from 'zod';
import { codePointLength } from '../core/lib/text.ts';
import { roleLimit, roleShortLimit } from '../core/puffo/role.ts';

export const nameLimit = 60;

const atMost = (limit: number, what: string) =>
  z
    .string()
    .max(limit * 2)
    .refine((text) => codePointLength(text) <= limit, `${what} may have at most ${limit} characters.`);

export const displayNameSchema = atMost(nameLimit, 'A display name');
export const bioSchema = atMost(1000, 'A bio');
export const roleSchema = atMost(roleLimit, 'A role');
export const roleShortSchema = atMost(roleShortLimit, 'A short role');

/** Empty, a path on this relay, or a web address: nothing that a reader's program could execute. */
export const avatarUrlSchema = z
  .string()
  .max(2000)
  .refine(
    (url) => /^($|\/blobs\/|https?:\/\/)/i.test(url),
    'An avatar is a web address or a blob of this relay.',
  );
