import { expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock, settle } from '../../../test/fakes/virtual-clock.ts';
import { createScope } from './scope.ts';

function rig() {
  const clock = createVirtualClock();
  const log = createRecordingLog();
  const ended: string[] = [];
  const end = (name: string) => () => void ended.push(name);
  return { clock, log, ended, end, scope: createScope({ clock, log }) };
}

const never = () => new Promise<void>(() => undefined);

it('The scope disposes parts in reverse order, each after the previous one has ended', async () => {
  const { scope, ended, end } = rig();
  let finish = (): void => undefined;
  scope.add('first', end('first'));
  scope.add('slow', () => {
    ended.push('slow');
    return new Promise<void>((resolve) => {
      finish = resolve;
    });
  });
  scope.add('last', end('last'));
  const disposed = scope.dispose();
  await settle(4);
  expect(ended).toEqual(['last', 'slow']);
  finish();
  await disposed;
  expect(ended).toEqual(['last', 'slow', 'first']);
});

it('A child scope ends before every part that existed when the child was made', async () => {
  const { scope, ended, end } = rig();
  scope.add('store', end('store'));
  const child = scope.child('feature');
  scope.add('socket', end('socket'));
  child.add('worker', end('worker'));
  child.add('timer', end('timer'));
  await scope.dispose();
  expect(ended).toEqual(['socket', 'timer', 'worker', 'store']);
});

it('A child scope that ends before its parent ends only once', async () => {
  const { scope, ended, end } = rig();
  const child = scope.child('feature');
  child.add('worker', end('worker'));
  await child.dispose();
  await scope.dispose();
  expect(ended).toEqual(['worker']);
});

it('Disposal continues after a failed part and logs it', async () => {
  const { scope, ended, end, log } = rig();
  scope.add('first', end('first'));
  scope.add('broken', () => {
    throw new Error('broken');
  });
  scope.add('rejects', () => Promise.reject(new Error('rejects')));
  await scope.dispose();
  expect(ended).toEqual(['first']);
  expect(log.lines).toMatchObject([
    { event: 'dispose_failed', fields: { part: 'rejects' } },
    { event: 'dispose_failed', fields: { part: 'broken' } },
  ]);
});

it('Disposal continues after a hanging part reaches its timeout', async () => {
  const { scope, ended, end, clock, log } = rig();
  scope.add('first', end('first'));
  scope.add('hangs', never, 1_000);
  let over = false;
  const disposed = scope.dispose().then(() => {
    over = true;
  });
  await clock.advance(999);
  expect(over).toBe(false);
  await clock.advance(1);
  await disposed;
  expect(ended).toEqual(['first']);
  expect(log.lines).toMatchObject([{ event: 'dispose_late', fields: { part: 'hangs' } }]);
});

it('A child scope has one timeout for all its parts', async () => {
  const { scope, ended, end, clock } = rig();
  scope.add('lock', end('lock'));
  const child = scope.child('parts', 1_000);
  child.add('never reached', end('never reached'));
  child.add('hangs', never);
  const disposed = scope.dispose();
  await clock.advance(1_000);
  await disposed;
  expect(ended).toEqual(['lock']);
});

it('Two dispose calls share one disposal, and a late part is disposed at once', async () => {
  const { scope, ended, end } = rig();
  scope.add('first', end('first'));
  await Promise.all([scope.dispose(), scope.dispose()]);
  scope.add('late', end('late'));
  scope.child('late child').add('grandchild', end('grandchild'));
  await settle(4);
  expect(ended).toEqual(['first', 'late', 'grandchild']);
});
