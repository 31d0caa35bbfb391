import { expect, it } from 'vitest';
import { taskView } from '../../../test/fakes/task-views.ts';
import type { FeedSink } from '../../contract/host-api.ts';
import type { HostSession } from '../host-call.ts';
import { followKnown } from './task-follow.ts';

it('A followed task is printed even if the host is still starting', async () => {
  let started = false;
  const done = taskView({ status: 'done', result: 'swept' });
  const session = {
    call: async () => {
      started = true;
      return {};
    },
    client: {
      subscribe: (_topic: string, sink: FeedSink) => {
        sink({ type: 'snapshot', revision: 0, state: { task: started ? done : null, steps: {} } });
        return () => undefined;
      },
    },
  } as unknown as HostSession;
  expect(await followKnown(session, 1, { json: false, quiet: true })).toEqual(done);
});
