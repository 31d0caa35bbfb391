import { appError } from '../contract/errors.ts';
import type { HostApi } from '../contract/host-api.ts';
import { err } from '../contract/result.ts';
import type { Dispatch } from './dispatch.ts';
import type { HostLife } from './host-life.ts';
import type { Topics } from './topics.ts';

/** Methods that do not wait for the configured parts to start. */
const atOnce: readonly string[] = ['host.view', 'host.stop', 'host.unlock', 'config.get'];

/** Methods that a stopping host still serves. */
const untilTheEnd: readonly string[] = ['host.view', 'host.stop'];

export interface HostApiDeps {
  readonly life: Pick<HostLife, 'isStopping' | 'ready'>;
  readonly dispatch: Dispatch;
  readonly topics: Pick<Topics, 'subscribe'>;
}

const stopping = appError('unavailable', 'Kennel is stopping.');

/** The entry point of all clients. */
export const createHostApi = ({ life, dispatch, topics }: HostApiDeps): HostApi => ({
  async call(principal, method, input) {
    if (life.isStopping() && !untilTheEnd.includes(method)) return err(stopping);
    if (!atOnce.includes(method)) await life.ready;
    return dispatch(principal, method, input);
  },
  subscribe(principal, topic, sink) {
    if (principal.kind !== 'owner-ui' && principal.kind !== 'owner-cli') {
      return err(appError('forbidden', 'A client of this kind may not listen here.'));
    }
    return life.isStopping() ? err(stopping) : topics.subscribe(topic, sink);
  },
});
