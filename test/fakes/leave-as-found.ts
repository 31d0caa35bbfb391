/** Vitest loads this before each unit test file. Files share a process, so each must leave it as it found it. */
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
