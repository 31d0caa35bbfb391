/** Methods about the container engine of this computer, its images, and the containers of agents. */
import { z } from 'zod';
import {
  containerViewSchema,
  engineViewSchema,
  imageJobSchema,
  imageNamePattern,
  imageViewSchema,
} from './container-images.ts';
import { harnessIdSchema } from './harnesses.ts';
import { none, row } from './method-row.ts';

const imageName = () => z.string().max(300).regex(imageNamePattern);

export const imageMethods = {
  /** Asks the engines anew, and looks for the image of each agent program. */
  'images.list': row(
    () => none,
    () =>
      z.object({
        engines: z.array(engineViewSchema),
        images: z.array(imageViewSchema),
        job: imageJobSchema.nullable(),
      }),
  ),
  /** Image, limits and state of the container in which the agent runs, or would run. */
  'images.container': row(
    () => z.object({ agent: z.string() }),
    () => containerViewSchema,
  ),
  /** Begins to build the image of a program; fails with `conflict` while another job runs. */
  'images.build': row(
    () =>
      z.object({
        harness: harnessIdSchema,
        /** In place of the image of Node.js that the recipe names. */
        base: imageName().optional(),
        /** Path of a recipe on this computer, in place of Kennel's. */
        recipe: z.string().max(4096).optional(),
      }),
    () => z.object({ job: imageJobSchema }),
  ),
  /** Begins to fetch an image from its registry. */
  'images.pull': row(
    () => z.object({ image: imageName() }),
    () => z.object({ job: imageJobSchema }),
  ),
  /** Begins to read an image from a file of `docker save`; with `image`, from an archive of its root folder. */
  'images.import': row(
    () => z.object({ file: z.string().max(4096), image: imageName().optional() }),
    () => z.object({ job: imageJobSchema }),
  ),
  /** The newest job, once it has more lines than `seen` or ended, and after 20 s at the latest. */
  'images.wait': row(
    () => z.object({ seen: z.int().min(0) }),
    () => z.object({ job: imageJobSchema.nullable() }),
  ),
  'images.stop': row(
    () => none,
    () => none,
  ),
} as const;
