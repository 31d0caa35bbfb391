import { describe, expect, it } from 'vitest';
import { fieldNames, hostileValues } from '../../test/fakes/hostile-values.ts';
import { createRecordingLog } from '../../test/fakes/recording-log.ts';
import { proof, seed } from '../../test/fakes/test-run.ts';
import { appErrorSchema } from '../contract/error-schema.ts';
import type { AppError } from '../contract/errors.ts';
import { callChannel } from '../contract/ipc-channels.ts';
import { type MethodName, methods } from '../contract/methods.ts';
import { ok, type Result } from '../contract/result.ts';
import { createDispatch, type Handlers } from '../host/dispatch.ts';
import { createDesktopRows, type Desktop } from './desktop-rows.ts';
import { createIpcGate, type GateEvent } from './ipc-gate.ts';

const runs = proof ? 10_000 : 300;
const names = Object.keys(methods) as MethodName[];

const event: GateEvent = {
  sender: { id: 7, send: () => {}, isDestroyed: () => false },
  senderFrame: { url: 'kennel://app/', parent: null },
};

/**
 * An own key of this name would change the prototype of an object it is copied into with `target[key] = …`.
 */
function carriesPrototype(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(carriesPrototype);
}

/** The real gate and dispatch, with handlers that record their input. */
function bridge() {
  const log = createRecordingLog();
  const warnings: string[] = [];
  const handed: unknown[] = [];
  const take = async (input: unknown) => {
    handed.push(input);
    return ok({});
  };
  const handlers = Object.fromEntries(names.map((name) => [name, take])) as unknown as Handlers;
  const dispatch = createDispatch(handlers, log);
  const desktop: Desktop = {
    settings: {
      current: () => ({}) as never,
      set: (change) => ok(handed.push(change) as never),
      onChange: () => {},
      isLocked: () => false,
      setLocked: () => true,
      tellOfTray: () => false,
    },
    view: () => ({ host: { state: 'up' } }) as never,
    files: {
      pickImport: async () => ok({ transferId: null }),
      pickFolder: async () => ok({ path: null }),
      pickSkills: async () => ok({ path: null }),
      saveBackup: async () => ok({ saved: null }),
      pickBackup: async () => ok({ backup: null }),
      restore: async () => ok({}),
      restoreState: () => null,
    },
    shortcut: { set: () => ok(undefined), isTaken: () => false, stop: () => {} },
    show: (route) => void handed.push(route),
    takeLink: () => '',
    hostHere: async () => ok({}),
    installUpdate: () => ok({}),
    lock: { isLocked: () => false, lock: async () => ok({}), unlock: async () => ok({}) },
  };
  const gate = createIpcGate({
    host: async () => ok({ call: dispatch, subscribe: () => ok(() => {}) }),
    desktop: createDesktopRows(desktop),
    pageOrigin: 'kennel://app',
    warn: (message, fields) => void warnings.push(`${message} ${JSON.stringify(fields)}`),
  });
  let ask: (from: GateEvent, ...args: unknown[]) => Promise<Result<unknown>> = () => Promise.reject();
  gate.register((channel, listener) => {
    if (channel === callChannel) ask = listener;
  });
  gate.admit(7);
  return { ask, handed, warnings, log };
}

const codes = new Set(['invalid_input', 'forbidden', 'not_found']);

/** Describes what is wrong with an error; empty if it is valid. */
function fault(error: AppError): string {
  if (!codes.has(error.code)) return error.code;
  return appErrorSchema.safeParse(error).success ? '' : 'not an error of ours';
}

describe('Hostile input from a page', () => {
  console.log(`ipc fuzz: seed ${seed}, ${runs} values for each of ${names.length} methods`);

  it('to any method returns a typed error or a valid result, and pollutes no prototype (T22)', async () => {
    const { ask, handed, warnings, log } = bridge();
    const faults: string[] = [];
    let refused = 0;
    for (const [index, name] of names.entries()) {
      const next = hostileValues(seed + index, fieldNames(methods[name].input));
      for (let run = 0; run < runs; run += 1) {
        const result = await ask(event, name, next());
        if (result.ok) continue;
        refused += 1;
        const wrong = fault(result.error);
        if (wrong !== '') faults.push(`${name}, value ${run}: ${wrong}`);
      }
      // Checks only the input received since the last method, to keep memory small.
      if (handed.splice(0).some(carriesPrototype)) faults.push(`${name} was handed an own __proto__`);
    }
    expect(faults.slice(0, 20), `seed ${seed}`).toEqual([]);
    expect(warnings).toEqual([]);
    expect(log.lines.filter(({ level }) => level === 'error')).toEqual([]);
    expect(refused).toBeGreaterThan((names.length * runs) / 4);
    expect(Object.keys(Object.prototype)).toEqual([]);
  }, 900_000);

  it('as a method name returns a typed error (T22)', async () => {
    const { ask, handed } = bridge();
    const next = hostileValues(seed, ['hasOwnProperty', '__defineGetter__', 'agents.List', ' agents.list']);
    for (let run = 0; run < runs * 10; run += 1) {
      const result = await ask(event, next(), next(), next());
      expect(result.ok ? 'ok' : fault(result.error), `seed ${seed}, value ${run}`).toBe('');
    }
    expect(handed).toEqual([]);
  });
});
