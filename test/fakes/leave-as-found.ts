/**
 * Vitest setup file of the unit tests. Test files share a process, so each must restore the global state it
 * changed.
 */
import { afterAll, expect } from 'vitest';

const found = () => ({
  env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'))),
  cwd: process.cwd(),
  umask: process.umask(),
  fetch: globalThis.fetch,
  unhandled: process.listenerCount('unhandledRejection') + process.listenerCount('uncaughtException'),
});

const before = found();
afterAll(() => expect(found(), 'the process as this file found it').toEqual(before));
