import { describe, expect, it } from 'vitest';
import { textError } from '../contract/errors.ts';
import type { Principal } from '../contract/method-row.ts';
import { type MethodName, methods } from '../contract/methods.ts';
import { err, ok } from '../contract/result.ts';
import { StoreError } from '../core/lib/store-error.ts';
import type { Log } from '../core/ports.ts';
import { createDispatch, type Handlers } from './dispatch.ts';

const events: string[] = [];
const log: Log = {
  debug: () => {},
  info: () => {},
  warn: (event) => events.push(event),
  error: (event) => events.push(event),
  child: () => log,
};
const owner: Principal = { kind: 'owner-cli' };

function handlersWith(own: Partial<Handlers>): Handlers {
  const rest = Object.fromEntries(
    Object.keys(methods).map((name) => [name, () => err(textError('unsupported', name))]),
  ) as unknown as Handlers;
  return { ...rest, ...own };
}

describe('Dispatch', () => {
  it('refuses unknown methods, inherited names and invalid input', async () => {
    const dispatch = createDispatch(handlersWith({}), log);
    for (const name of ['nope', 'constructor', '__proto__', 'toString']) {
      expect(await dispatch(owner, name, {})).toMatchObject({ ok: false, error: { code: 'not_found' } });
    }
    expect(await dispatch(owner, 'chat.send', { to: 'x', text: '' })).toMatchObject({
      ok: false,
      error: { code: 'invalid_input', message: expect.stringContaining('text') as string },
    });
    expect(await dispatch(owner, 'host.view', { extra: 1 })).toMatchObject({ ok: false });
  });

  it('forbids agents and paired devices every method that does not list them', async () => {
    const dispatch = createDispatch(handlersWith({}), log);
    for (const name of Object.keys(methods) as MethodName[]) {
      for (const kind of ['agent', 'paired-device'] as const) {
        if ((methods[name].callers as readonly string[]).includes(kind)) continue;
        expect(await dispatch({ kind, id: 'x' }, name, {})).toMatchObject({ error: { code: 'forbidden' } });
      }
    }
  });

  it('applies defaults before the handler runs', async () => {
    const seen: unknown[] = [];
    const dispatch = createDispatch(
      handlersWith({
        'chat.history': (input) => {
          seen.push(input);
          return ok({ roomId: 'r', messages: [], hasMore: false, hasLater: false });
        },
      }),
      log,
    );
    await dispatch(owner, 'chat.history', { room: 'r' });
    expect(seen).toEqual([{ room: 'r', limit: 50 }]);
  });

  it('turns an exception into an error without internal text', async () => {
    const dispatch = createDispatch(
      handlersWith({
        'host.view': () => {
          throw new Error('inner detail');
        },
        'agents.list': () => {
          throw new StoreError('disk_full', 'The disk is full.');
        },
      }),
      log,
    );
    const bug = await dispatch(owner, 'host.view', {});
    expect(bug).toMatchObject({ error: { code: 'internal' } });
    expect(JSON.stringify(bug)).not.toContain('inner detail');
    expect(await dispatch(owner, 'agents.list', {})).toMatchObject({ error: { code: 'disk_full' } });
    expect(events).toContain('handler_failed');
  });
});
