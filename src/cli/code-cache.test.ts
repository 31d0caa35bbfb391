import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { codeCacheFolder } from './code-cache.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'kennel-code-cache-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

describe.skipIf(process.platform === 'win32')('Compile cache folder', () => {
  const folder = () => path.join(root, 'kennel', 'code');

  it('is created with access for its owner only (T19)', () => {
    expect(codeCacheFolder({ XDG_CACHE_HOME: root }, 'linux')).toBe(folder());
    expect(statSync(folder()).mode & 0o777).toBe(0o700);
  });

  it('is not used if other users can write to it or to a parent (T19)', () => {
    mkdirSync(folder(), { recursive: true });
    for (const open of [folder(), path.dirname(folder()), root]) {
      for (const mode of [0o720, 0o702, 0o777]) {
        chmodSync(open, mode);
        expect(codeCacheFolder({ XDG_CACHE_HOME: root }, 'linux'), `${open} ${mode.toString(8)}`).toBeNull();
      }
      chmodSync(open, 0o700);
    }
    expect(codeCacheFolder({ XDG_CACHE_HOME: root }, 'linux')).toBe(folder());
  });

  it('is skipped if it cannot be created', () => {
    writeFileSync(path.join(root, 'kennel'), '');
    expect(codeCacheFolder({ XDG_CACHE_HOME: root }, 'linux')).toBeNull();
  });

  it('lies in the cache folder of the platform, never at a relative path', () => {
    vi.stubEnv('HOME', root);
    const places = { linux: '.cache', darwin: 'Library/Caches' } as const;
    for (const [platform, place] of Object.entries(places)) {
      const found = codeCacheFolder({ XDG_CACHE_HOME: 'here' }, platform as NodeJS.Platform);
      expect(found, platform).toBe(path.join(root, place, 'kennel', 'code'));
    }
    expect(codeCacheFolder({ LOCALAPPDATA: root }, 'win32')).toBe(folder());
  });
});
