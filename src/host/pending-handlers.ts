/** Rows of the method table whose rooms are still being built refuse with a sentence. */
import { appError } from '../contract/errors.ts';
import type { MethodName } from '../contract/methods.ts';
import { err } from '../contract/result.ts';

const pending = [
  'schedules.list',
  'schedules.add',
  'schedules.set',
  'schedules.remove',
  'schedules.runNow',
  'schedules.preview',
] as const satisfies readonly MethodName[];

type Pending = (typeof pending)[number];

const refuse = () => err(appError('unsupported', 'This version of Kennel cannot do that yet.'));

export const pendingHandlers = Object.fromEntries(pending.map((name) => [name, refuse])) as {
  readonly [M in Pending]: typeof refuse;
};
