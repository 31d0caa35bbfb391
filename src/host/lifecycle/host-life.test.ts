import { expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock, settle } from '../../../test/fakes/virtual-clock.ts';
import { createScope } from '../../core/lib/scope.ts';
import { createHostLife } from './host-life.ts';

const never = () => new Promise<void>(() => undefined);

function rig() {
  const clock = createVirtualClock();
  const log = createRecordingLog();
  const events: string[] = [];
  const scope = createScope({ clock, log });
  const background = createScope({ clock, log });
  background.add('retries', () => events.push('background ended'));
  scope.add('lock', () => events.push('parts ended'));
  let finishSteps = (): void => undefined;
  const life = createHostLife({
    clock,
    log,
    background,
    finishSteps(now) {
      now.addEventListener('abort', () => events.push('stop now'));
      return new Promise<void>((resolve) => {
        finishSteps = () => {
          events.push('steps ended');
          resolve();
        };
      });
    },
    scope,
    onState: () => events.push(life.state()),
  });
  void life.stopped.then((reason) => events.push(`stopped: ${reason}`));
  return { clock, events, life, finishSteps: () => finishSteps() };
}

it('ends the background, then the steps, then everything else', async () => {
  const { events, life, finishSteps } = rig();
  const stopped = life.stop('asked to');
  expect(life.isStopping()).toBe(true);
  await settle(4);
  expect(events).toEqual(['background ended', 'stopping']);
  finishSteps();
  await stopped;
  expect(events).toEqual(['background ended', 'stopping', 'steps ended', 'parts ended', 'stopped: asked to']);
});

it('tells the running steps when a second stop is requested', async () => {
  const { events, life, finishSteps } = rig();
  const first = life.stop('asked to');
  const second = life.stop('again');
  expect(events).toContain('stop now');
  finishSteps();
  await Promise.all([first, second]);
  expect(events.at(-1)).toBe('stopped: asked to');
});

it('waits 2 s for a start under way', async () => {
  const { clock, events, life, finishSteps } = rig();
  life.begin(never, () => undefined);
  const stopped = life.stop('asked to');
  finishSteps();
  await clock.advance(1_999);
  expect(events).not.toContain('parts ended');
  await clock.advance(1);
  await stopped;
  expect(events).toContain('parts ended');
});

it('is ready after a start that failed', async () => {
  const { life } = rig();
  const failures: unknown[] = [];
  const failure = new Error('no disk');
  life.begin(
    () => Promise.reject(failure),
    (error) => failures.push(error),
  );
  await life.ready;
  expect(life.state()).toBe('ready');
  expect(failures).toEqual([failure]);
});
