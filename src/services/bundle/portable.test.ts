import { describe, expect, it } from 'vitest';
import { mayHoldSecrets, staysHere } from './portable.ts';

describe('Files of an agent that may move', () => {
  it.each([
    'harness/claude-code/trusted.json',
    'Harness/claude-code/trusted.json',
    'harne\u017fs/custom/trusted.json',
    'KEYS/ada.json',
    '\u212aeys/ada.json',
    'workspace/.Puffo-Agent/x',
  ])('T16: leaves %s here, whatever its letters', (path) => {
    expect(staysHere(path)).toBe(true);
  });

  it('T18: takes a file for a secret, whatever its letters', () => {
    expect(mayHoldSecrets('workspace/.ENV')).toBe(true);
    expect(mayHoldSecrets('workspace/Server.PEM')).toBe(true);
    expect(mayHoldSecrets('workspace/notes.md')).toBe(false);
  });

  it('moves what belongs to the agent', () => {
    for (const path of ['profile.md', 'memory/harness.md', 'workspace/harness/x'])
      expect(staysHere(path)).toBe(false);
  });
});
