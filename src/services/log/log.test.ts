import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import { createJsonLog } from './json-log.ts';
import { openRotatingFile } from './rotating-file.ts';
import { createScrubber } from './scrub.ts';

let folder = '';
eachTestInFolder('kennel-log-', (made) => {
  folder = made;
});

describe('Log scrubber (T18)', () => {
  it('hides values of secret fields, key formats and registered secrets', () => {
    const scrubber = createScrubber();
    scrubber.addSecret('canary-value-77');
    const line = JSON.stringify({
      api_key: 'plain',
      deep: { root_secret_key: 'abc"quoted' },
      text: 'sk-test1234567890abcd and Bearer abcdefghijkl and canary-value-77',
      url: 'http://127.0.0.1:1/?token=abcdefghijk',
      page: 'http://127.0.0.1:1/#link=lmnopqrstuv',
    });
    const clean = scrubber.scrub(line);
    for (const secret of [
      'plain',
      'abc',
      'sk-test1234567890abcd',
      'abcdefghijkl',
      'canary-value-77',
      'abcdefghijk',
      'lmnopqrstuv',
    ]) {
      expect(clean).not.toContain(secret);
    }
    expect(JSON.parse(clean)).toMatchObject({ api_key: '[redacted]' });
  });

  it('removes codes of invitations, secrets of invite links and tokens of agent programs', () => {
    const secrets = [
      'inv-abcd-2345-wxyz-6789',
      `lnk-${'abcd2345'.repeat(4)}`,
      `kennel-model-${'Ab_-'.repeat(10)}xyz`,
    ];
    const clean = createScrubber().scrub(`join kennel://join?server=x#${secrets.join(' and ')}.`);
    for (const secret of secrets) expect(clean).not.toContain(secret);
    expect(clean).toContain('kennel://join?server=x#[redacted] and');
  });

  it('hides a passphrase with quotes, backslashes and line breaks', () => {
    const scrubber = createScrubber();
    const passphrase = 'corr"ect\\horse\nbattery';
    scrubber.addSecret(passphrase);
    const clean = scrubber.scrub(JSON.stringify({ text: `it was ${passphrase}.` }));
    expect(JSON.parse(clean)).toEqual({ text: 'it was [redacted].' });
  });

  it('leaves ids, token counts and public keys unchanged', () => {
    const line = JSON.stringify({ id: 'msg_1', inputTokens: 12, device: `dev_${'a'.repeat(43)}` });
    expect(createScrubber().scrub(line)).toBe(line);
  });
});

describe('JSON log', () => {
  it('writes one JSON object per line, with readable errors and inherited fields', () => {
    const lines: string[] = [];
    const log = createJsonLog({
      level: 'info',
      scrubber: createScrubber(),
      write: (line) => lines.push(line),
    });
    log.child({ agent: 'guide' }).warn('turn_failed', { error: new Error('boom') });
    log.debug('not_shown');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'warn',
      event: 'turn_failed',
      agent: 'guide',
      error: { name: 'Error', message: 'boom', stack: expect.stringContaining('log.test.ts') },
    });
    const { time } = JSON.parse(lines[0] ?? '') as { time: string };
    expect(new Date(time).toISOString()).toBe(time);
    expect(lines[0]).toMatch(/^\{"level":"warn","time":.*\}\n$/);
  });

  it('writes a line for any field values, and nothing if silent', () => {
    const lines: string[] = [];
    const write = (line: string) => lines.push(line);
    const log = createJsonLog({ level: 'debug', scrubber: createScrubber(), write });
    const itself: Record<string, unknown> = { shared: [] };
    itself.loop = { back: itself };
    const cause = new Error('twice', { cause: itself });
    log.error('odd', { itself, big: 1n, nothing: undefined, cause, again: itself.shared });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      event: 'odd',
      itself: { shared: [], loop: { back: '[Circular]' } },
      big: 1,
      cause: { message: 'twice' },
      again: [],
    });
    const refuses = {
      get secret() {
        throw new Error('not today');
      },
    };
    log.info('refused', { refuses });
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ level: 'info', event: 'refused' });
    createJsonLog({ level: 'silent', scrubber: createScrubber(), write }).error('unheard');
    expect(lines).toHaveLength(2);
  });
});

describe('Rotating log file', () => {
  it('counts bytes, not characters', () => {
    const path = join(folder, 'bytes.log');
    const file = openRotatingFile({ path, maxBytes: 20, keep: 2 });
    file.write('äöü\n'.repeat(2));
    file.write('äöü\n');
    file.close();
    expect(statSync(path).size).toBe(7);
    expect(statSync(`${path}.1`).size).toBe(14);
  });

  it('rotates by size, keeps the configured number of files and is private to the owner', () => {
    const path = join(folder, 'host.log');
    const file = openRotatingFile({ path, maxBytes: 20, keep: 2 });
    for (const word of ['aaaaaaaaaaaaaaa\n', 'bbbbbbbbbbbbbbb\n', 'ccccccccccccccc\n', 'ddddddddddddddd\n']) {
      file.write(word);
    }
    file.close();
    expect(readFileSync(path, 'utf8')).toBe('ddddddddddddddd\n');
    expect(readFileSync(`${path}.1`, 'utf8')).toBe('ccccccccccccccc\n');
    expect(readFileSync(`${path}.2`, 'utf8')).toBe('bbbbbbbbbbbbbbb\n');
    expect(existsSync(`${path}.3`)).toBe(false);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('survives a missing folder and later reports how many lines were lost', () => {
    const path = join(folder, 'later', 'host.log');
    const file = openRotatingFile({ path, maxBytes: 1000, keep: 2 });
    file.write('lost\n');
    expect(existsSync(path)).toBe(false);
    mkdirSync(join(folder, 'later'));
    file.write('kept\n');
    file.close();
    expect(readFileSync(path, 'utf8')).toBe('{"level":"warn","event":"log_lines_lost","count":1}\nkept\n');
  });
});
