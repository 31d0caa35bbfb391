/** Methods about skills: what an agent has, where it comes from, and what the operator accepted. Open to the operator only. */
import { z } from 'zod';
import { hostTextSchema } from './host-text-schema.ts';
import { done, row } from './method-row.ts';

/**
 * `agent`, `shared`: installed by the operator. `folder`: in `skills_dir`. `system`: of Kennel. `project`: in the
 * workspace, where the agent can write.
 */
const skillPlaces = ['agent', 'folder', 'shared', 'system', 'project'] as const;

/**
 * `on`: listed for the agent. `off`: switched off. `waiting`: its files are not accepted. `changed`: not the files
 * that were installed. `hidden`: another skill of this name counts. `broken`: it cannot be read.
 */
const skillStates = ['on', 'off', 'waiting', 'changed', 'hidden', 'broken'] as const;
export type SkillState = (typeof skillStates)[number];

const originSchema = z.object({
  source: z.string(),
  from: z.enum(['folder', 'zip', 'bundle']),
  commit: z.string().nullable(),
  at: z.number(),
});

const skillSchema = z.object({
  name: z.string(),
  description: z.string(),
  place: z.enum(skillPlaces),
  /** Absolute; empty for skills of Kennel. */
  folder: z.string(),
  state: z.enum(skillStates),
  /** Of all its files; empty if they cannot be read. */
  digest: z.string(),
  files: z.array(z.string()),
  /** `null` if it was not installed by Kennel. */
  origin: originSchema.nullable(),
  /** The agent installed it itself, with the operator's consent. */
  byAgent: z.boolean(),
  warnings: z.array(hostTextSchema),
});
export type SkillView = z.infer<typeof skillSchema>;

const name = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'is not the name of a skill');
const digest = z.string().regex(/^[0-9a-f]{64}$/, 'is not a digest');
/** Without an agent: the skills of all agents. */
const owner = { agent: z.string().min(1).max(200).optional() };
const source = z.string().min(1).max(4_096);

const skillOfferSchema = z.object({
  name: z.string(),
  description: z.string(),
  digest: z.string(),
  files: z.array(z.object({ path: z.string(), size: z.number().int() })),
  /** `new`: not installed here. `same`: already installed. */
  change: z.enum(['new', 'changed', 'same']),
  /** Unified diff of its text files to what is installed; for a new skill, its whole text. */
  diff: z.string(),
  cut: z.boolean(),
  warnings: z.array(hostTextSchema),
});
export type SkillOffer = z.infer<typeof skillOfferSchema>;

export const skillMethods = {
  'skills.list': row(
    () => z.strictObject(owner),
    () => z.object({ skills: z.array(skillSchema) }),
  ),
  /** The text of the skill, and of its other files what fits; `contents` is `null` for a file that is not text. */
  'skills.show': row(
    () => z.strictObject({ ...owner, name, folder: z.string().max(4_096).optional() }),
    () =>
      z.object({
        skill: skillSchema,
        files: z.array(
          z.object({ path: z.string(), size: z.number().int(), contents: z.string().nullable() }),
        ),
      }),
  ),
  /** Skills that `skills.install` would install; `name` alone looks at the source of an installed skill again. */
  'skills.preview': row(
    () => z.strictObject({ ...owner, source: source.optional(), name: name.optional() }),
    () => z.object({ source: z.string(), offers: z.array(skillOfferSchema) }),
  ),
  /** Installs exactly the files that were shown: `conflict` if the source has changed since. */
  'skills.install': row(
    () =>
      z.strictObject({ ...owner, source, skills: z.array(z.strictObject({ name, digest })).min(1).max(200) }),
    () => z.object({ installed: z.array(z.string()) }),
  ),
  /** Deletes an installed skill. */
  'skills.remove': row(
    () => z.strictObject({ ...owner, name }),
    () => done,
  ),
  'skills.switch': row(
    () => z.strictObject({ agent: z.string().min(1).max(200), name, on: z.boolean() }),
    () => done,
  ),
  /** Accepts the files of a skill in the agent's workspace as they were shown. */
  'skills.accept': row(
    () => z.strictObject({ agent: z.string().min(1).max(200), name, folder: z.string().max(4_096), digest }),
    () => done,
  ),
} as const;
