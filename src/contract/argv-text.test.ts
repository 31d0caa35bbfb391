import { describe, expect, it } from 'vitest';
import { splitArgv } from './argv-text.ts';

describe('splitArgv', () => {
  it('splits at spaces outside of quotes', () => {
    expect(splitArgv(`  npx -y  "a b" --name='c d' ""`)).toEqual(['npx', '-y', 'a b', '--name=c d', '']);
    expect(splitArgv('C:\\tools\\server.exe $HOME')).toEqual(['C:\\tools\\server.exe', '$HOME']);
    expect(splitArgv(' ')).toEqual([]);
  });

  it('refuses a quote without an end', () => {
    expect([splitArgv('npx "a b'), splitArgv("it's")]).toEqual([null, null]);
  });
});
