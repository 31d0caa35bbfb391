import { homedir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { dataFolder } from '../platform/data-folder.ts';
import { profileFolder } from './app-paths.ts';

const usual = path.join(homedir(), '.kennel');

it('The data folder comes from KENNEL_HOME, else ~/.kennel', () => {
  expect(dataFolder({})).toBe(usual);
  expect(dataFolder({ KENNEL_HOME: '' })).toBe(usual);
  expect(dataFolder({ KENNEL_HOME: '/srv/kennel/../k' })).toBe('/srv/k');
});

it('Each data folder has its own Electron profile outside of it', () => {
  const profiles = [usual, '/srv/a', '/srv/b'].map((home) => profileFolder('/config', home));
  expect(new Set(profiles).size).toBe(3);
  expect(profiles.every((profile) => profile.startsWith(`/config${path.sep}Kennel`))).toBe(true);
  expect(profileFolder('/config', '/srv/a')).toBe(profiles[1]);
});
