import { fail } from '../contract/fail.ts';
import type { HostApi } from '../contract/host-api.ts';
import { err } from '../contract/result.ts';
import type { Dispatch } from './dispatch.ts';
import type { Topics } from './feed/topics.ts';
import type { HostLife } from './lifecycle/host-life.ts';

/** Methods that do not wait for the configured parts to start. */
const atOnce: readonly string[] = ['host.view', 'host.stop', 'host.unlock', 'config.get'];

/** Methods that a stopping host still serves. */
const untilTheEnd: readonly string[] = ['host.view', 'host.stop'];

export interface HostApiDeps {
  readonly life: Pick<HostLife, 'isStopping' | 'ready'>;
  readonly dispatch: Dispatch;
  readonly topics: Pick<Topics, 'subscribe'>;
}

const stopping = fail('unavailable', 'host.kennelStopping');

/** The entry point of all clients. */
export const createHostApi = ({ life, dispatch, topics }: HostApiDeps): HostApi => ({
  async call(principal, method, input) {
    if (life.isStopping() && !untilTheEnd.includes(method)) return err(stopping);
    if (!atOnce.includes(method)) await life.ready;
    return dispatch(principal, method, input);
  },
  subscribe(principal, topic, sink) {
    if (principal.kind !== 'owner-ui' && principal.kind !== 'owner-cli') {
      return err(fail('forbidden', 'host.subscribeNotAllowed'));
    }
    return life.isStopping() ? err(stopping) : topics.subscribe(topic, sink);
  },
});
