/** Methods that find people and agents of the operator's server. */
import { z } from 'zod';
import { done, row } from './method-row.ts';
import { keyTrustSchema } from './model.ts';

export const personSchema = z.object({
  slug: z.string(),
  displayName: z.string(),
  agent: z.boolean(),
  /** Ids of the rooms shared with the operator, the direct message among them. */
  rooms: z.array(z.string()),
});
export type PersonView = z.infer<typeof personSchema>;

export const personDetailSchema = personSchema.extend({
  role: z.string(),
  /** `null`: the key was not compared. */
  trust: keyTrustSchema.nullable(),
  /**
   * 60 digits in groups of five, the same on both sides; empty without a key to compare: of an agent, or
   * if the server offers another key.
   */
  safetyNumber: z.string(),
  /** ms since the epoch, or `null` if the key is not verified. */
  verifiedAt: z.number().nullable(),
});
export type PersonDetail = z.infer<typeof personDetailSchema>;

/** Limit of people in one answer. */
export const mostPeople = 500;

const personRef = z.strictObject({ who: z.string().min(1).max(200) });

export const peopleMethods = {
  /**
   * People and agents whose name or handle contains every word of `text`, best match first; all if it is empty.
   * A server lists its people only by their complete handle, so a person who shares no room is found by it alone.
   */
  'people.find': row(
    () => z.strictObject({ text: z.string().max(200).default('') }),
    () => z.object({ people: z.array(personSchema).max(mostPeople), total: z.number().int() }),
  ),
  /** `who` is a handle, or a name that belongs to one person only. */
  'people.show': row(
    () => personRef,
    () => personDetailSchema,
  ),
  /**
   * Marks the present key as verified. `safetyNumber` is the complete one that the operator compared;
   * `untrusted` if it is not the present one.
   */
  'people.verify': row(
    () => personRef.extend({ safetyNumber: z.string().min(1).max(200) }),
    () => done,
  ),
  /** Needs no server for a handle. */
  'people.unverify': row(
    () => personRef,
    () => z.object({ slug: z.string() }),
  ),
} as const;
