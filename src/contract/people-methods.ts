/** Methods that find people and agents of the operator's server. */
import { z } from 'zod';
import { row } from './method-row.ts';

export const personSchema = z.object({
  slug: z.string(),
  displayName: z.string(),
  agent: z.boolean(),
  /** Ids of the rooms shared with the operator, the direct message among them. */
  rooms: z.array(z.string()),
});
export type PersonView = z.infer<typeof personSchema>;

/** Limit of people in one answer. */
export const mostPeople = 500;

export const peopleMethods = {
  /**
   * People and agents whose name or handle contains every word of `text`, best match first; all if it is empty.
   * A server lists its people only by their complete handle, so a person who shares no room is found by it alone.
   */
  'people.find': row(
    () => z.strictObject({ text: z.string().max(200).default('') }),
    () => z.object({ people: z.array(personSchema).max(mostPeople), total: z.number().int() }),
  ),
} as const;
