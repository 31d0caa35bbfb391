/** The target of an effect, without its verb: a path, a program with all its arguments, a room or a host. */
import type { z } from 'zod';
import { argvText } from './argv-text.ts';
import type { effectSchema } from './effects.ts';

export function effectTarget(effect: z.infer<typeof effectSchema>): string {
  switch (effect.kind) {
    case 'read':
    case 'write':
    case 'delete':
      return effect.path;
    case 'run':
      return argvText(effect.argv);
    case 'send':
      return effect.to;
    case 'network':
      return effect.host;
  }
}
