import { expect, it } from 'vitest';
import { fail } from '../../contract/fail.ts';
import { err, ok } from '../../contract/result.ts';
import { say } from '../../language/say.ts';
import { OpenOnce } from './open-once.ts';
import { StoreError } from './store-error.ts';

it('Callers share one attempt, and later ones get the open value', async () => {
  let attempts = 0;
  const heard: string[] = [];
  const part = new OpenOnce<string>((value) => heard.push(`${value} ${part.value}`));
  const open = async () => {
    attempts += 1;
    return ok(`open ${attempts}`);
  };
  const both = await Promise.all([part.open(open), part.open(open)]);
  expect([...both, await part.open(open)]).toEqual([ok('open 1'), ok('open 1'), ok('open 1')]);
  expect(heard).toEqual(['open 1 open 1']);
});

it('A failure is not kept, and an error of the disk is the error of the call', async () => {
  const part = new OpenOnce<string>();
  const refused = fail('unavailable', 'host.kennelStopping');
  expect(await part.open(async () => err(refused))).toEqual(err(refused));
  const broken = new StoreError('io_error', say('storage.tasks'));
  expect(await part.open(() => Promise.reject(broken))).toEqual(err(broken.toAppError()));
  expect(part.value).toBeNull();
  expect(await part.open(async () => ok('open'))).toEqual(ok('open'));
});

it('A cleared value is returned once and opened again by the next call', async () => {
  const part = new OpenOnce<string>();
  const opening = part.open(async () => ok('first'));
  await part.settled();
  expect([part.clear(), part.clear(), await opening]).toEqual(['first', null, ok('first')]);
  expect(await part.open(async () => ok('second'))).toEqual(ok('second'));
});
